// Probe issue: instructions a clock against resident warps and independent instructions
// ([kepler-article]). The timed loop is compiled for each instruction and each number of chains.
#include "app/membench/core/gpu.cuh"

#include <algorithm>

#ifdef MEMSTENCIL_CUDA
#include "app/membench/probes/instructions/issue_chains.cuh"
#endif

namespace memstencil::membench {

namespace {

/// Independent instructions that are compiled: all divide the loop's body.
constexpr int issue_ilps[]{1, 2, 3, 4, 6, 8};

#ifdef MEMSTENCIL_CUDA
/// Instructions of the kind in the body of the timed loop.
constexpr int issue_body = 480;
/// 15360 instructions a warp: compared with them the few instructions between clock and loop do not
/// count.
constexpr int iterations = 32;
constexpr double instructions = iterations * issue_body;
/// An SM has four quarters, each with a scheduler. Warp n of a block runs on quarter n % 4.
constexpr int quarters = 4;

struct IssueWork {
  int one;
  std::uint32_t half_ones;
  unsigned every;  // one in `every` of the block's warps works
  int iterations;
  const std::uint64_t* ring;
  double* results;
  Clocks clocks;
};

/// Steps is of each chain in the loop's body. Two blocks of 1024 threads fill
/// an SM: 32 registers a thread.
template <class Chain, int Count, int Steps>
__global__ void __launch_bounds__(1024, 2) issue(const __grid_constant__ IssueWork work) {
  __shared__ std::uint32_t shared_ring[ring_rows * 32];
  __shared__ float shared_ones[32];
  constexpr unsigned words = ring_rows * 32;
  for (unsigned n = threadIdx.x; n < words; n += blockDim.x)
    shared_ring[n] = shared_address(shared_ring) + 4 * ((n + 32) % words);
  if (threadIdx.x < 32) shared_ones[threadIdx.x] = 1;
  __syncthreads();
  const unsigned warp = threadIdx.x / 32;
  if (warp % work.every != 0) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  Chain chain[Count];
  for (int c = 0; c < Count; ++c)
    chain[c].start(c, lane,
                   {work.one, work.half_ones, shared_ring, shared_address(shared_ones), work.ring});

  meet(work.clocks);
  const Interval timed = time_loop(work.iterations, [&] {
#pragma unroll
    for (int step = 0; step < Steps; ++step)
#pragma unroll
      for (int c = 0; c < Count; ++c) chain[c].step();
  });

  double sum = 0;
  for (int c = 0; c < Count; ++c) sum += chain[c].end();
  const unsigned place = (blockIdx.x * (blockDim.x / 32) + warp) / work.every;
  work.results[32 * place + threadIdx.x % 32] = sum;
  leave_times(work.clocks, place, timed);
}

/// An instruction with a number of independent ones.
struct Compiled {
  void (*kernel)(IssueWork) = nullptr;  ///< null if these are no whole number of steps
  double (*right)(int chain, int lane, int steps) = nullptr;
  int chains = 0;
  double allowed = 0;
};

Compiled compiled(int instruction, int ilp) {
  constexpr int ilps = std::size(issue_ilps);
  return pick<std::tuple_size_v<Chains> * ilps>(instruction * ilps + ilp, [](auto number) {
    using Chain = std::tuple_element_t<decltype(number)::value / ilps, Chains>;
    constexpr int independent = issue_ilps[decltype(number)::value % ilps];
    constexpr int chains = independent / Chain::parts;
    if constexpr (independent % Chain::parts == 0)
      return Compiled{issue<Chain, chains, issue_body / independent>, Chain::right, chains,
                      Chain::allowed * chains};
    else
      return Compiled{};
  });
}

/// The addresses that loads walk: [row][lane] holds the address of [row + 1][lane].
struct Ring : DeviceArray<std::uint64_t> {
  Ring() : DeviceArray(32 * ring_rows) {
    std::vector<std::uint64_t> addresses;
    for (std::size_t n = 0; n < size(); ++n)
      addresses.push_back(reinterpret_cast<std::uint64_t>(data() + (n + 32) % size()));
    set(addresses);
  }
};

void measure_issue(State& state, Ring& ring) {
  const int ilp = state.integer("ilp"), warps = state.integer("warps");
  const Compiled code = compiled(state.index("instruction"), state.index("ilp"));
  const bool one_quarter = state.is("placement", "one quarter");
  if (code.kernel == nullptr) state.leave_out();
  if (one_quarter && (warps > 8 || warps % 3 == 0 || (ilp > 1 && ilp < 8))) state.leave_out();
  if (warps > 32 && warps % 2 != 0) state.leave_out("odd numbers of warps above 32");
  const int every = one_quarter ? quarters : 1, blocks_an_sm = warps > 32 ? 2 : 1;
  const Grid grid(multiprocessors() * blocks_an_sm, 32 * every * warps / blocks_an_sm);
  DeviceArray<double> results(32 * warps * multiprocessors());
  ClockedWarps clocked(warps * multiprocessors());
  constexpr std::uint32_t half_ones = 0x3C003C00;  // 1 in half precision, twice
  const auto run = [&] {
    launch(code.kernel, grid,
           {1, half_ones, static_cast<unsigned>(every), iterations, ring.data(), results.data(),
            clocked.clocks()});
    return clocked.cycles(warps);
  };
  results.spoil();
  run();
  // The loop's body goes before once, untimed.
  constexpr int executed = (iterations + 1) * issue_body;
  std::vector<double> expected(32, 0);
  for (int lane = 0; lane < 32; ++lane)
    for (int c = 0; c < code.chains; ++c)
      expected[static_cast<std::size_t>(lane)] += code.right(c, lane, executed / ilp);
  verify_all(
      state.title(), results.all(), [&](std::size_t n) { return expected[n % 32]; }, code.allowed);
  state.sample({"per_clock", "cycles", "multiprocessors_left_out"}, [&] {
    const SmCycles cycles = run();
    return std::vector{cycles.per_clock(warps * instructions), cycles.each(instructions),
                       cycles.left_out};
  });
}
#endif

/// For each instruction and number of independent ones: the fewest warps that come to 0.95 of the
/// instruction's peak (0: none do), and that peak.
void hidden_latencies(std::vector<Row>& rows, std::vector<Row>& more) {
  for (const Group& kind : groups(rows, {"instruction", "placement"})) {
    const double peak = std::ranges::max(kind.numbers("per_clock"));
    std::map<double, double> fewest;
    for (const Row* row : kind.rows) {
      double& warps = fewest[row->number("ilp")];
      if (row->number("per_clock") >= 0.95 * peak && (warps == 0 || row->number("warps") < warps))
        warps = row->number("warps");
    }
    for (const auto& [ilp, warps] : fewest)
      more.emplace_back(kind.like).set(
          {{"ilp", ilp}, {"warps_to_hide", warps}, {"peak_per_clock", peak}});
  }
}

}  // namespace

extern const Probe issue_probe{
    .name = "issue",
    .summary = "instructions per clock against resident warps and independent instructions",
    .source = "[kepler-article]",
    .counted = "instructions of the kind under test, per clock and multiprocessor",
    .axes = always(
        {names("instruction",  // in the order of Chains
               {"fp32 fma", "fp64 fma", "fp16x2 fma", "int32 add", "int32 mad", "ex2", "rsqrt",
                "shared load", "shared store", "L1 load", "fp32 and fp64 fma",
                "fp32 fma and shared load", "fp32 fma and rsqrt", "shuffle idx", "shuffle up",
                "shuffle down", "shuffle xor"}),
         names("placement", {"spread", "one quarter"}),
         numbers("ilp", {std::begin(issue_ilps), std::end(issue_ilps)}),
         numbers("warps", {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64}, 1, 64)}),
    .start = MEMSTENCIL_WITH_CUDA(each_sharing<Ring, measure_issue>),
    .derive = hidden_latencies,
    .notes = {"ilp: independent instructions of a warp; cycles: of one instruction of a warp, with "
              "one warp and ilp 1 its latency (a store and a mix have none)",
              "one quarter: all warps are numbers 0, 4, 8, ... of their block and share one of the "
              "four schedulers; 0.25 of the spread peak where each quarter has a unit of its own, "
              "near 1 where all four share one"}};

}  // namespace memstencil::membench
