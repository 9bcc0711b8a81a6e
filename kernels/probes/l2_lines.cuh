// What accesses take from each multiprocessor of a GPU to each of some lines of its memory.
#pragma once

#include "kernels/probes/l2_lines.hpp"

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace memstencil {

namespace {  // a kernel of its own for each file: stubs of one in several files are merged

void check_l2(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string("L2: ") + cudaGetErrorString(status));
}

/// Pairs of lines in memory: bytes from a pair to the next, and between its two lines.
struct L2Lines {
  unsigned* memory;  ///< all 0, and so it stays
  int count;
  std::size_t pair_bytes, second_bytes;
  __device__ unsigned* at(int n) const {
    const std::size_t byte =
        static_cast<std::size_t>(n / 2) * pair_bytes + (n % 2 == 0 ? 0 : second_bytes);
    return memory + byte / sizeof(unsigned);
  }
};

template <L2Access Access>
__device__ unsigned access(unsigned* at) {
  if constexpr (Access == L2Access::AtomicAddition) {
    return atomicAdd(at, 0U);
  } else {
    unsigned value = 0;
    // Not ld.cg: the assembler takes that out of the loop over the repeats.
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
  }
}

/// One thread a block. The least of several times counts: what others do at a line only adds to it.
template <L2Access Access>
__global__ void time_lines(L2Lines lines, const L2Visit* visits, int repeats, unsigned* cycles) {
  unsigned processor = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(processor));
  if (processor >= l2_identifiers || visits[processor].row < 0) return;
  const L2Visit visit = visits[processor];
  unsigned* const own = cycles + static_cast<std::size_t>(visit.row) * lines.count;
  for (int n = 0; n < visit.count; ++n) {
    const int line = (visit.first + n * visit.step) % lines.count;
    unsigned* const at = lines.at(line);
    unsigned least = ~0U;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      if constexpr (Access == L2Access::LoadAfterAtomicAddition)
        if (atomicAdd(at, 0U) != 0U) return;
      const long long begin = clock64();
      if (access<Access>(at) != 0U) return;  // never; but to know it the thread must wait
      least = min(least, static_cast<unsigned>(clock64() - begin));
    }
    own[line] = least;
  }
}

/// One block on each multiprocessor; gives `rows` rows of cycles, 0 where nobody came.
/// @param visits l2_identifiers, by identifier
/// @param scratch of the GPU, l2_scratch_bytes()
template <L2Access Access>
std::vector<std::vector<double>> timed_lines(const L2Lines& lines,
                                             const std::vector<L2Visit>& visits, int rows,
                                             int repeats, void* scratch) {
  int device = 0;
  int processors = 0;
  int shared = 0;
  check_l2(cudaGetDevice(&device));
  check_l2(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  check_l2(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  // All the shared memory for one block: so each multiprocessor gets one.
  check_l2(cudaFuncSetAttribute(time_lines<Access>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                shared));
  auto* const visits_there = static_cast<L2Visit*>(scratch);
  auto* const cycles = reinterpret_cast<unsigned*>(visits_there + l2_identifiers);
  const auto a_row = static_cast<std::ptrdiff_t>(lines.count);
  std::vector<unsigned> host(static_cast<std::size_t>(a_row * rows));
  check_l2(cudaMemset(cycles, 0, host.size() * sizeof(unsigned)));
  check_l2(cudaMemcpy(visits_there, visits.data(), visits.size() * sizeof(L2Visit),
                      cudaMemcpyHostToDevice));
  time_lines<Access><<<static_cast<unsigned>(processors), 1, static_cast<std::size_t>(shared)>>>(
      lines, visits_there, repeats, cycles);
  check_l2(cudaGetLastError());
  check_l2(cudaMemcpy(host.data(), cycles, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  std::vector<std::vector<double>> out;
  for (auto row = host.begin(); row != host.end(); row += a_row) out.emplace_back(row, row + a_row);
  return out;
}

/// Cycles of the access from each multiprocessor to l2_lines_timed lines, as sort_by_half() wants
/// them: the least of several. Throws std::runtime_error where CUDA fails.
/// @param memory of the GPU, l2_lines_bytes, all 0, and so it stays
/// @param scratch of the GPU, l2_scratch_bytes(l2_lines_timed, l2_identifiers)
template <L2Access Access>
std::vector<std::vector<double>> l2_line_cycles(unsigned* memory, void* scratch) {
  constexpr int repeats = 16;
  std::vector<L2Visit> visits;
  for (int n = 0; n < l2_identifiers; ++n)  // not all at one line
    visits.push_back(
        {.row = n, .first = n * 7 % l2_lines_timed, .step = 1, .count = l2_lines_timed});
  const L2Lines lines{memory, l2_lines_timed, 2 * l2_line_spread, l2_line_spread};
  return timed_lines<Access>(lines, visits, l2_identifiers, repeats, scratch);
}

}  // namespace

}  // namespace memstencil
