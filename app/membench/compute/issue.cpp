// Probe issue: instructions a clock against resident warps and independent instructions
// ([kepler-article]).
#include "app/membench/compute/issue.hpp"

#include "app/membench/core/gpu.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace memstencil::membench::issue_probe {

using probes::Instruction;

namespace {

/// An SM has room for 64 warps (CUDA C programming guide, technical
/// specifications of capability 9.0).
constexpr std::array warp_counts{1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64};
constexpr int most_warps = 64;
constexpr int most_ilp = 8;
/// 15360 instructions a warp: beside them the few instructions between clock and loop do not count.
constexpr int iterations = 64;
constexpr int instructions = iterations * probes::issue_body;
/// The loop's body goes before once, untimed.
constexpr int all_instructions = instructions + probes::issue_body;

constexpr Sampling usual{.warmups = 1, .repeats = 3, .limit = 10};

/// The solution of 2^-x = x.
constexpr double fixed_point_of_exp2 = 0.641185744504986;
/// ex2.approx.ftz.f32 is within 2 units of the last place, rsqrt.approx.ftz.f32 within
/// 2^-22.9 relative (PTX ISA, ex2 and rsqrt); each step of the chains halves the errors
/// of earlier ones, or nearly.
constexpr double approximation = 1e-6;

std::string name(Instruction instruction) {
  constexpr std::array names{
      "fp32 fma", "fp64 fma",    "fp16x2 fma",   "int32 add", "int32 mad",        "ex2",
      "rsqrt",    "shared load", "shared store", "L1 load",   "fp32 and fp64 fma"};
  return names.at(static_cast<std::size_t>(instruction));
}

/// Does each instruction of a single chain wait for the one before?
bool has_latency(Instruction instruction) {
  return instruction != Instruction::SharedStore && instruction != Instruction::Fp32AndFp64;
}

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
      return (chain + steps) % probes::ring_rows;
  }
  return 0;
}

/// The kernels' device memory, and one measurement with it.
class Streams {
public:
  Streams()
      : ring_(32 * probes::ring_rows),
        results_(32 * warps_on_gpu(most_warps)),
        times_(warps_on_gpu(most_warps)) {
    std::vector<std::uint64_t> ring;
    const auto base = reinterpret_cast<std::uint64_t>(ring_.data());
    constexpr std::size_t addresses = 32 * probes::ring_rows;
    for (std::size_t n = 0; n < addresses; ++n)
      ring.push_back(base + sizeof(std::uint64_t) * ((n + 32) % addresses));
    ring_.set(ring);
  }

  /// Busy cycles of the median SM.
  double cycles(Instruction instruction, int ilp, int warps) const {
    in_cuda<probes::run_issue>(probes::IssueJob{instruction, ilp, warps, iterations,
                                                multiprocessors_, ring_.data(), results_.data(),
                                                times_.data()});
    return sm_cycles(times_.first(warps_on_gpu(warps)), warps).median;
  }

  /// @throws Failure(Verification) where a thread ends with another value than it should
  void check(Instruction instruction, int ilp, int warps) {
    results_.spoil();
    cycles(instruction, ilp, warps);
    std::array<double, 32> expected{};
    for (int lane = 0; lane < 32; ++lane)
      expected[static_cast<std::size_t>(lane)] =
          expected_result(instruction, ilp, lane, all_instructions);
    verify_all(
        fmt::format("{} with {} warps and {} independent, threads", name(instruction), warps, ilp),
        results_.first(32 * warps_on_gpu(warps)), [&](std::size_t n) { return expected[n % 32]; },
        allowed_error(instruction, ilp));
  }

private:
  std::size_t warps_on_gpu(int warps) const {
    return static_cast<std::size_t>(multiprocessors_ * warps);
  }

  int multiprocessors_ = gpu_facts().multiprocessors;
  DeviceArray<std::uint64_t> ring_;
  DeviceArray<double> results_;
  DeviceArray<probes::WarpTimes> times_;
};

/// One point; two of a kind's points are measurements, too.
IssuePoint measure(Instruction instruction, int ilp, int warps, Streams& streams,
                   Collector& collector) {
  streams.check(instruction, ilp, warps);
  const Samples cycles =
      sample(collector.sampling, [&] { return streams.cycles(instruction, ilp, warps); });
  const auto add = [&](const std::string& figure, const std::string& unit, const auto& convert) {
    Samples samples = cycles;
    for (double& value : samples.warmup) value = convert(value);
    for (double& value : samples.values) value = convert(value);
    collector.result.add(name(instruction) + ", " + figure,
                         {{"instruction", name(instruction)}, {"figure", figure}}, unit, samples);
  };
  const auto per_clock = [warps](double c) {
    return warps * static_cast<double>(instructions) / c;
  };
  if (ilp == 1 && warps == 1 && has_latency(instruction))
    add("latency", "cycles", [](double c) { return c / instructions; });
  if (ilp == most_ilp && warps == most_warps) add("throughput", "1/clock", per_clock);
  return {warps, ilp, per_clock(median(cycles)), median(cycles)};
}

ProbeResult run(const Settings& settings) {
  Collector collector(settings, usual);
  std::map<Instruction, std::vector<IssuePoint>> points;
  for (int n = settings.experiment_count(); n > 0; --n) {
    Streams streams;
    for (const Instruction instruction : probes::all_instructions) {
      settings.progress(name(instruction));
      for (const int ilp : probes::issue_ilps)
        if (ilp % probes::instructions_a_step(instruction) == 0)
          for (const int warps : warp_counts)
            points[instruction].push_back(measure(instruction, ilp, warps, streams, collector));
    }
  }
  ProbeResult& result = collector.result;
  for (const auto& [instruction, of_kind] : points) {
    result.tables[name(instruction)] = issue_table(of_kind);
    result.derived[name(instruction)] = issue_summary(of_kind);
  }
  result.notes = {
      fmt::format(
          "latency: one warp, each instruction needs the one before; throughput: {} warps with {} "
          "independent instructions each, in instructions (of 32 lanes) a clock and SM",
          most_warps, most_ilp),
      fmt::format("warps_to_hide: the fewest warps of an SM that come to {:g} of the kind's peak",
                  hidden)};
  return result;
}

double peak(std::span<const IssuePoint> points) {
  double most = 0;
  for (const IssuePoint& p : points) most = std::max(most, p.per_clock);
  return most;
}

}  // namespace

extern const Probe probe{
    .name = "issue",
    .summary = "instructions per clock against resident warps and independent instructions",
    .source = "[kepler-article]",
    .counted = "instructions of the kind under test, per clock and multiprocessor",
    .refused = refuse_without_cuda,
    .run = run};

double expected_result(Instruction instruction, int ilp, int lane, int executed) {
  const int chains = ilp / probes::instructions_a_step(instruction);
  double sum = 0;
  for (int c = 0; c < chains; ++c) sum += chain_end(instruction, c, lane, executed / ilp);
  return sum;
}

double allowed_error(Instruction instruction, int ilp) {
  return instruction == Instruction::Exp2 || instruction == Instruction::Rsqrt ? approximation * ilp
                                                                               : 0;
}

std::optional<int> warps_to_hide(std::span<const IssuePoint> points, int ilp) {
  const double enough = hidden * peak(points);
  std::optional<int> fewest;
  for (const IssuePoint& p : points)
    if (p.ilp == ilp && p.per_clock >= enough) fewest = std::min(fewest.value_or(p.warps), p.warps);
  return fewest;
}

Record issue_summary(std::span<const IssuePoint> points) {
  std::set<int> ilps;
  for (const IssuePoint& p : points) ilps.insert(p.ilp);
  Record warps = Record::object();
  for (const int ilp : ilps) {
    const std::optional<int> fewest = warps_to_hide(points, ilp);
    warps[fmt::format("ilp {}", ilp)] = fewest ? Record(*fewest) : Record();
  }
  constexpr int lanes = 32;
  return {{"peak_per_clock", peak(points)},
          {"peak_lanes_per_clock", lanes * peak(points)},
          {"warps_to_hide", warps}};
}

Record issue_table(std::span<const IssuePoint> points) {
  Record table = Record::object();
  for (const IssuePoint& p : points)
    add_row(table,
            {{"warps", p.warps}, {"ilp", p.ilp}, {"per_clock", p.per_clock}, {"cycles", p.cycles}});
  return table;
}

}  // namespace memstencil::membench::issue_probe
