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
/// Warps in one quarter: a block has room for four times as many.
constexpr std::array quarter_warp_counts{1, 2, 4, 8};
/// 15360 instructions a warp: beside them the few instructions between clock and loop do not count.
constexpr int iterations = 64;
constexpr int instructions = iterations * probes::issue_body;
/// The loop's body goes before once, untimed.
constexpr int all_instructions = instructions + probes::issue_body;

constexpr Sampling usual{.warmups = 1, .repeats = 20, .limit = 40};

std::string name(Instruction instruction) {
  constexpr std::array names{"fp32 fma",
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
  static_assert(names.size() == probes::all_instructions.size());
  return names.at(static_cast<std::size_t>(instruction));
}

/// Does each instruction of a single chain wait for the one before?
bool has_latency(Instruction instruction) {
  return instruction != Instruction::SharedStore && probes::instructions_a_step(instruction) == 1;
}

/// The warps of an SM and what they do: a point of a curve.
struct Stream {
  Instruction instruction;
  int ilp, warps;
  bool one_quarter = false;

  std::string title() const {
    return fmt::format("{} with {} warps{} and {} independent", name(instruction), warps,
                       one_quarter ? " in one quarter" : "", ilp);
  }
};

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
  double cycles(const Stream& s) const {
    in_cuda<probes::run_issue>(probes::IssueJob{s.instruction, s.ilp, s.warps, s.one_quarter,
                                                iterations, multiprocessors_, ring_.data(),
                                                results_.data(), times_.data()});
    return sm_cycles(times_.first(warps_on_gpu(s.warps)), s.warps).median;
  }

  /// @throws Failure(Verification) where a thread ends with another value than it should
  void check(const Stream& s) {
    results_.spoil();
    cycles(s);
    std::array<double, 32> expected{};
    for (int lane = 0; lane < 32; ++lane)
      expected[static_cast<std::size_t>(lane)] =
          expected_result(s.instruction, s.ilp, lane, all_instructions);
    verify_all(
        s.title() + ", threads", results_.first(32 * warps_on_gpu(s.warps)),
        [&](std::size_t n) { return expected[n % 32]; }, allowed_error(s.instruction, s.ilp));
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
IssuePoint measure(const Stream& s, Streams& streams, Collector& collector) {
  streams.check(s);
  const Samples cycles = sample(collector.sampling, [&] { return streams.cycles(s); });
  const auto add = [&](const std::string& figure, const std::string& unit, const auto& convert) {
    Samples samples = cycles;
    for (double& value : samples.warmup) value = convert(value);
    for (double& value : samples.values) value = convert(value);
    collector.result.add(name(s.instruction) + ", " + figure,
                         {{"instruction", name(s.instruction)}, {"figure", figure}}, unit, samples);
  };
  const auto per_clock = [&](double c) { return s.warps * static_cast<double>(instructions) / c; };
  if (s.ilp == 1 && s.warps == 1 && !s.one_quarter && has_latency(s.instruction))
    add("latency", "cycles", [](double c) { return c / instructions; });
  if (s.ilp == most_ilp && s.warps == most_warps) add("throughput", "1/clock", per_clock);
  return {s.warps, s.ilp, per_clock(median(cycles)), median(cycles)};
}

/// All points of a kind: of warps spread over an SM's quarters, and of warps in one of them.
struct Curves {
  std::vector<IssuePoint> spread, one_quarter;
};

void add_points(Instruction instruction, Streams& streams, Collector& collector, Curves& curves) {
  for (const int ilp : probes::issue_ilps) {
    if (ilp % probes::instructions_a_step(instruction) != 0) continue;
    for (const int warps : warp_counts)
      curves.spread.push_back(measure({instruction, ilp, warps}, streams, collector));
    if (ilp != 1 && ilp != most_ilp) continue;
    for (const int warps : quarter_warp_counts)
      curves.one_quarter.push_back(measure({instruction, ilp, warps, true}, streams, collector));
  }
}

ProbeResult run(const Settings& settings) {
  Collector collector(settings, usual);
  std::map<Instruction, Curves> curves;
  for (int n = settings.experiment_count(); n > 0; --n) {
    Streams streams;
    for (const Instruction instruction : probes::all_instructions) {
      settings.progress(name(instruction));
      add_points(instruction, streams, collector, curves[instruction]);
    }
  }
  ProbeResult& result = collector.result;
  for (const auto& [instruction, of_kind] : curves) {
    result.tables[name(instruction)] = issue_table(of_kind.spread);
    result.tables[name(instruction) + ", one quarter"] = issue_table(of_kind.one_quarter);
    result.derived[name(instruction)] = issue_summary(of_kind.spread, of_kind.one_quarter);
  }
  result.notes = {
      fmt::format(
          "latency: one warp, each instruction needs the one before; throughput: {} warps with {} "
          "independent instructions each, in instructions (of 32 lanes) a clock and SM",
          most_warps, most_ilp),
      fmt::format("warps_to_hide: the fewest warps of an SM that come to {:g} of the kind's peak",
                  hidden),
      "one quarter: all warps are numbers 0, 4, 8, ... of their block and share one of the SM's "
      "four schedulers; of_peak near 0.25 where each quarter has a unit of its own, near 1 where "
      "all four share one"};
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

std::optional<int> warps_to_hide(std::span<const IssuePoint> points, int ilp) {
  const double enough = hidden * peak(points);
  std::optional<int> fewest;
  for (const IssuePoint& p : points)
    if (p.ilp == ilp && p.per_clock >= enough) fewest = std::min(fewest.value_or(p.warps), p.warps);
  return fewest;
}

Record issue_summary(std::span<const IssuePoint> points, std::span<const IssuePoint> one_quarter) {
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
          {"warps_to_hide", warps},
          {"one_quarter",
           {{"peak_per_clock", peak(one_quarter)}, {"of_peak", peak(one_quarter) / peak(points)}}}};
}

Record issue_table(std::span<const IssuePoint> points) {
  Record table = Record::object();
  for (const IssuePoint& p : points)
    add_row(table,
            {{"warps", p.warps}, {"ilp", p.ilp}, {"per_clock", p.per_clock}, {"cycles", p.cycles}});
  return table;
}

}  // namespace memstencil::membench::issue_probe
