// The timed loop of probe issue, compiled for each instruction and each number of chains.
#include "kernels/probes/issue.hpp"

#include "kernels/probes/check.cuh"
#include "kernels/probes/issue_chains.cuh"
#include "kernels/probes/sm_clock.cuh"

#include <stdexcept>
#include <utility>

namespace memstencil::probes {
namespace {

/// 1 in half precision, twice.
constexpr std::uint32_t half_ones = 0x3C003C00;

struct IssueWork {
  int one;
  std::uint32_t half_ones;
  unsigned every;  // of the block's warps one in so many works
  int iterations;
  const std::uint64_t* ring;
  double* results;
  WarpTimes* times;
};

/// Steps is of each chain in the loop's body. Two blocks of 1024 threads fill
/// an SM: 32 registers a thread.
template <Instruction Kind, int Chains, int Steps>
__global__ void __launch_bounds__(1024, 2) issue(const __grid_constant__ IssueWork work) {
  __shared__ std::uint32_t shared_ring[ring_rows * 32];
  __shared__ float shared_ones[32];
  const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared_ring));
  const auto ones = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared_ones));
  constexpr unsigned words = ring_rows * 32;
  for (unsigned n = threadIdx.x; n < words; n += blockDim.x)
    shared_ring[n] = base + 4 * ((n + 32) % words);
  if (threadIdx.x < 32) shared_ones[threadIdx.x] = 1;
  __syncthreads();
  const unsigned warp = threadIdx.x / 32;
  if (warp % work.every != 0) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  Chain<Kind> chain[Chains];
  for (int c = 0; c < Chains; ++c)
    chain[c].start(c, lane, {work.one, work.half_ones, base, ones, work.ring});

  const Interval timed = time_loop(work.iterations, [&] {
#pragma unroll
    for (int step = 0; step < Steps; ++step)
#pragma unroll
      for (int c = 0; c < Chains; ++c) chain[c].step();
  });

  double sum = 0;
  for (int c = 0; c < Chains; ++c) sum += chain[c].end();
  const unsigned place = (blockIdx.x * (blockDim.x / 32) + warp) / work.every;
  work.results[32 * place + threadIdx.x % 32] = sum;
  leave_times(work.times, place, timed.begin, timed.end);
}

using Kernel = void (*)(IssueWork);

/// Null where so many independent instructions are no whole number of steps.
template <Instruction Kind, int Ilp>
constexpr Kernel compiled() {
  constexpr int parts = instructions_a_step(Kind);
  if constexpr (Ilp % parts == 0)
    return issue<Kind, Ilp / parts, issue_body / Ilp>;
  else
    return nullptr;
}

template <Instruction Kind, std::size_t... N>
Kernel kernel_of(int ilp, std::index_sequence<N...>) {
  Kernel found = nullptr;
  ((issue_ilps[N] == ilp ? void(found = compiled<Kind, issue_ilps[N]>()) : void()), ...);
  return found;
}

template <std::size_t... N>
Kernel kernel_of(Instruction instruction, int ilp, std::index_sequence<N...>) {
  constexpr auto ilps = std::make_index_sequence<issue_ilps.size()>{};
  Kernel found = nullptr;
  ((all_instructions[N] == instruction ? void(found = kernel_of<all_instructions[N]>(ilp, ilps))
                                       : void()),
   ...);
  return found;
}

}  // namespace

void run_issue(const IssueJob& job) {
  const Kernel kernel =
      kernel_of(job.instruction, job.ilp, std::make_index_sequence<all_instructions.size()>{});
  if (kernel == nullptr)
    throw std::logic_error("probe issue: no kernel has so many independent instructions");
  const int every = job.one_quarter ? quarters : 1;
  const int blocks_an_sm = job.warps > 32 ? 2 : 1;
  const int threads = 32 * every * job.warps / blocks_an_sm;
  kernel<<<job.multiprocessors * blocks_an_sm, threads>>>(
      {1, half_ones, static_cast<unsigned>(every), job.iterations, job.ring, job.results,
       job.times});
  check_kernel("probe issue");
}

}  // namespace memstencil::probes
