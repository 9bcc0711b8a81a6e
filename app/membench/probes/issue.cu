// Probe issue: instructions a clock against resident warps and independent instructions
// ([kepler-article]). The timed loop is compiled for each instruction and each number of chains.
#include "app/membench/core/probe.hpp"

namespace memstencil::membench {

namespace {

/// In the order of enum Instruction.
std::vector<std::string> instruction_names() {
  return {"fp32 fma",
          "fp64 fma",
          "fp16x2 fma",
          "int32 add",
          "int32 mad",
          "ex2",
          "rsqrt",
          "shared load",
          "shared store",
          "L1 load",
          "fp32 and fp64 fma",
          "fp32 fma and shared load",
          "fp32 fma and rsqrt",
          "shuffle idx",
          "shuffle up",
          "shuffle down",
          "shuffle xor"};
}

}  // namespace

}  // namespace memstencil::membench

#ifdef MEMSTENCIL_CUDA
#include "app/membench/core/gpu.cuh"
#include "app/membench/probes/issue_chains.cuh"

#include <algorithm>
#include <utility>

namespace memstencil::membench {

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
  unsigned* arrivals;
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

  meet(work.arrivals, gridDim.x);
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
  leave_times(work.times, place, timed);
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

/// The solution of 2^-x = x.
constexpr double fixed_point_of_exp2 = 0.641185744504986;
/// ex2.approx.ftz.f32 is within 2 units of the last place, rsqrt.approx.ftz.f32 within
/// 2^-22.9 relative (PTX ISA, ex2 and rsqrt); each step of the chains halves the errors
/// of earlier ones, or nearly.
constexpr double approximation = 1e-6;

double tribonacci_like(std::uint32_t x, int steps) {
  std::uint32_t last = 1;
  for (int n = 0; n < steps; ++n) last = std::exchange(x, x + last + 1);
  return x;
}

/// The end of chain number `chain` after so many steps from its start, chain + lane.
double chain_end(Instruction instruction, int chain, int lane, int steps) {
  const double start = chain + lane;
  switch (instruction) {
    case Instruction::Fp32Fma:
    case Instruction::Fp64Fma:
    case Instruction::Int32Mad:
      return start + steps;
    case Instruction::Fp32AndFp64:
      return 2 * (start + steps);
    case Instruction::Fp32AndSharedLoad:
    case Instruction::Fp32AndRsqrt: {
      const int singles = instructions_a_step(instruction) - 1;
      double sum = 0;
      for (int n = 0; n < singles; ++n) sum += singles * chain + n + lane + steps;
      return sum;
    }
    // A half has 11 bits: at 2048 adding 1 changes nothing any more.
    case Instruction::Fp16x2Fma:
      return 2 * std::min(start + steps, 2048.0);
    case Instruction::Int32Add:
      return tribonacci_like(static_cast<std::uint32_t>(chain + lane), steps);
    case Instruction::Exp2:
      return fixed_point_of_exp2;
    case Instruction::Rsqrt:
      return 1;
    case Instruction::SharedStore:
      return start + 1;
    case Instruction::SharedLoad:
    case Instruction::L1Load:
      return (chain + steps) % ring_rows;
    case Instruction::ShuffleIdx:
    case Instruction::ShuffleXor:
      return chain + (lane + steps) % 32;
    case Instruction::ShuffleUp:
      return chain + std::max(lane - steps, 0);
    case Instruction::ShuffleDown:
      return chain + std::min(lane + steps, 31);
  }
  return 0;
}

double expected_result(Instruction instruction, int ilp, int lane, int executed) {
  const int chains = ilp / instructions_a_step(instruction);
  double sum = 0;
  for (int c = 0; c < chains; ++c) sum += chain_end(instruction, c, lane, executed / ilp);
  return sum;
}

double allowed_error(Instruction instruction, int ilp) {
  switch (instruction) {
    case Instruction::Exp2:
    case Instruction::Rsqrt:
      return approximation * ilp;
    case Instruction::Fp32AndRsqrt:
      // Each of n steps multiplies by a root of 1, which is off by up to 2.6e-7: together n^2 / 2
      // times that, so about half a step in each chain of the probe.
      return 0.6 * ilp * 7 / 8;
    default:
      return 0;
  }
}

/// 15360 instructions a warp: beside them the few instructions between clock and loop do not count.
constexpr int iterations = 32;
constexpr int instructions = iterations * issue_body;
/// The loop's body goes before once, untimed.
constexpr int all_executed = instructions + issue_body;
/// Of each turn of the loop: it counts down, compares and branches.
constexpr double control = 3;

/// The ring of addresses that loads walk: [row][lane] holds the address of [row + 1][lane].
DeviceArray<std::uint64_t> ring_on_gpu() {
  constexpr std::size_t addresses = 32 * ring_rows;
  DeviceArray<std::uint64_t> ring(addresses);
  std::vector<std::uint64_t> values;
  for (std::size_t n = 0; n < addresses; ++n)
    values.push_back(reinterpret_cast<std::uint64_t>(ring.data() + (n + 32) % addresses));
  ring.set(values);
  return ring;
}

/// So many warps of one instruction on every multiprocessor.
class Warps {
public:
  Warps(State& state, Instruction instruction, const std::uint64_t* ring)
      : kernel_(kernel_of(instruction, state.integer("ilp"),
                          std::make_index_sequence<all_instructions.size()>{})),
        warps_(state.integer("warps")),
        every_(state.is("placement", "one quarter") ? quarters : 1),
        ring_(ring),
        results_(static_cast<std::size_t>(32 * warps_ * multiprocessors())),
        times_(static_cast<std::size_t>(warps_ * multiprocessors())),
        arrivals_(1) {}

  bool compiled() const { return kernel_ != nullptr; }
  DeviceArray<double>& results() { return results_; }

  SmCycles run() {
    const int blocks_an_sm = warps_ > 32 ? 2 : 1;
    arrivals_.set({0});
    kernel_<<<multiprocessors() * blocks_an_sm, 32 * every_ * warps_ / blocks_an_sm>>>(
        {1, half_ones, static_cast<unsigned>(every_), iterations, ring_, results_.data(),
         times_.data(), blocks_an_sm > 1 ? arrivals_.data() : nullptr});
    check_kernel("probe issue");
    return sm_cycles(times_.all(), warps_);
  }

private:
  Kernel kernel_;
  int warps_, every_;
  const std::uint64_t* ring_;
  DeviceArray<double> results_;
  DeviceArray<WarpTimes> times_;
  DeviceArray<unsigned> arrivals_;
};

void measure(State& state, Instruction instruction, const std::uint64_t* ring) {
  const int ilp = state.integer("ilp"), warps = state.integer("warps");
  const bool one_quarter = state.is("placement", "one quarter");
  if (ilp % instructions_a_step(instruction) != 0) state.leave_out();
  if (one_quarter && (warps > 8 || warps % 3 == 0 || warps == 6 || (ilp > 1 && ilp < 8)))
    state.leave_out();
  if (warps > 32 && warps % 2 != 0) state.leave_out("odd numbers of warps above 32");
  Warps grid(state, instruction, ring);
  if (!grid.compiled()) state.leave_out();
  grid.results().spoil();
  grid.run();
  std::vector<double> expected;
  for (int lane = 0; lane < 32; ++lane)
    expected.push_back(expected_result(instruction, ilp, lane, all_executed));
  verify_all(
      state.title(), grid.results().all(), [&](std::size_t n) { return expected[n % 32]; },
      allowed_error(instruction, ilp));
  state.sample({"per_clock", "issued_per_clock", "cycles", "multiprocessors_left_out"}, [&] {
    const SmCycles cycles = grid.run();
    const double rate = warps * static_cast<double>(instructions) / cycles.median;
    return std::vector<double>{rate, rate * (1 + control / issue_body),
                               cycles.median / instructions, static_cast<double>(cycles.left_out)};
  });
}

Point start(const Setup&) {
  const auto ring = std::make_shared<DeviceArray<std::uint64_t>>(ring_on_gpu());
  return [ring](State& state) {
    const std::vector<Value> all = names(instruction_names());
    const auto number = std::find(all.begin(), all.end(), Value(state.text("instruction")));
    measure(state, static_cast<Instruction>(number - all.begin()), ring->data());
  };
}

}  // namespace

}  // namespace memstencil::membench
#endif

namespace memstencil::membench {

namespace {

std::vector<Axis> axes(bool) {
  return {{.name = "instruction", .unit = "", .values = names(instruction_names())},
          {.name = "placement", .unit = "", .values = names({"spread", "one quarter"})},
          {.name = "ilp", .unit = "", .values = {1., 2., 3., 4., 6., 8.}, .fixed = true},
          {.name = "warps",
           .unit = "",
           .values = {1., 2., 3., 4., 6., 8., 12., 16., 20., 24., 28., 32., 40., 48., 56., 64.},
           .least = 1,
           .most = 64}};
}

/// Of each instruction and number of independent ones: the fewest warps that come to 0.95 of the
/// instruction's peak (0: none do), and that peak.
void derive(std::vector<Row>& rows) {
  constexpr double hidden = 0.95;
  std::map<std::string, double> peak;
  std::map<std::pair<std::string, double>, double> fewest;
  const auto kind = [](const Row& row) {
    return row.text("instruction") + "\n" + row.text("placement");
  };
  for (const Row& row : rows) peak[kind(row)] = std::max(peak[kind(row)], row.number("per_clock"));
  for (const Row& row : rows) {
    double& warps = fewest[{kind(row), row.number("ilp")}];
    if (row.number("per_clock") >= hidden * peak[kind(row)] &&
        (warps == 0 || row.number("warps") < warps))
      warps = row.number("warps");
  }
  for (const auto& [key, warps] : fewest) {
    const std::size_t end = key.first.find('\n');
    rows.push_back({{{"instruction", key.first.substr(0, end)},
                     {"placement", key.first.substr(end + 1)},
                     {"ilp", key.second},
                     {"warps_to_hide", warps},
                     {"peak_per_clock", peak[key.first]}},
                    {}});
  }
}

}  // namespace

extern const Probe issue_probe{
    .name = "issue",
    .summary = "instructions per clock against resident warps and independent instructions",
    .source = "[kepler-article]",
    .counted = "instructions of the kind under test, per clock and multiprocessor",
    .axes = axes,
    .start = MEMSTENCIL_WITH_CUDA(start),
    .derive = derive,
    .notes = {
        "ilp: independent instructions of a warp; cycles: of one instruction of a warp, with "
        "one warp and ilp 1 its latency (a store and a mix have none)",
        "issued_per_clock counts the loop's own three instructions in 480, too",
        "one quarter: all warps are numbers 0, 4, 8, ... of their block and share one of the "
        "four schedulers; 0.25 of the spread peak where each quarter has a unit of its own, "
        "near 1 where all four share one",
        "multiprocessors_left_out: the hardware gave them another number of warps than meant"}};

}  // namespace memstencil::membench
