// The issue probe: instructions a clock against resident warps and independent instructions (article 004).
#include "kernels/probes/issue.hpp"

#include "app/common/failure.hpp"
#include "app/common/statistics.hpp"
#include "app/membench/compute/issue_curve.hpp"
#include "app/membench/compute/issue_expected.hpp"
#include "app/membench/core/collector.hpp"
#include "app/membench/core/device_array.hpp"
#include "app/membench/core/probes.hpp"
#include "app/membench/core/sm_cycles.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace memstencil::membench {

namespace {

using probes::Instruction;

/// An SM has room for 64 warps (CUDA C programming guide, technical specifications of capability 9.0).
constexpr std::array warp_counts{1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64};
constexpr int most_warps = 64;
constexpr int most_ilp = 8;
/// 15360 instructions a warp: beside them the few instructions between clock and loop do not count.
constexpr int iterations = 64;
constexpr int instructions = iterations * probes::issue_body;
/// The loop's body goes before once, untimed.
constexpr int all_instructions = instructions + probes::issue_body;

constexpr Sampling usual{.warmups = 1, .repeats = 3, .limit = 10, .half_width = 0.05};

std::string name(Instruction instruction) {
  switch (instruction) {
    case Instruction::Fp32Fma:
      return "fp32 fma";
    case Instruction::Fp64Fma:
      return "fp64 fma";
    case Instruction::Fp16x2Fma:
      return "fp16x2 fma";
    case Instruction::Int32Add:
      return "int32 add";
    case Instruction::Int32Mad:
      return "int32 mad";
    case Instruction::Exp2:
      return "ex2";
    case Instruction::Rsqrt:
      return "rsqrt";
    case Instruction::SharedLoad:
      return "shared load";
    case Instruction::SharedStore:
      return "shared store";
    case Instruction::L1Load:
      return "L1 load";
    case Instruction::Fp32AndFp64:
      break;
  }
  return "fp32 and fp64 fma";
}

/// Does each instruction of a single chain wait for the one before?
bool has_latency(Instruction instruction) {
  return instruction != Instruction::SharedStore && instruction != Instruction::Fp32AndFp64;
}

/// The kernels' device memory, and one measurement with it.
class Streams {
public:
  Streams() : ring_(32 * probes::ring_rows), results_(threads()), times_(threads() / 32) {
    std::vector<std::uint64_t> ring;
    const auto base = reinterpret_cast<std::uint64_t>(ring_.data());
    constexpr std::size_t addresses = 32 * probes::ring_rows;
    for (std::size_t n = 0; n < addresses; ++n)
      ring.push_back(base + sizeof(std::uint64_t) * ((n + 32) % addresses));
    ring_.set(ring);
  }

  /// Busy cycles of the median SM.
  double cycles(Instruction instruction, int ilp, int warps) const {
    probes::run_issue({instruction, ilp, warps, iterations, multiprocessors_, ring_.data(), results_.data(),
                       times_.data()});
    return sm_cycles(times_.first(warps_on_gpu(warps)), warps).median;
  }

  /// @throws Failure(Verification) where a thread ends with another value than it should
  void verify(Instruction instruction, int ilp, int warps) {
    results_.spoil();
    cycles(instruction, ilp, warps);
    std::array<double, 32> expected{};
    for (int lane = 0; lane < 32; ++lane)
      expected[static_cast<std::size_t>(lane)] = expected_result(instruction, ilp, lane, all_instructions);
    const std::vector<double> results = results_.first(32 * warps_on_gpu(warps));
    for (std::size_t n = 0; n < results.size(); ++n) {
      const double right = expected[n % 32];
      if (!(std::abs(results[n] - right) <= allowed_error(instruction, ilp)))
        throw Failure(
            ExitCode::Verification,
            fmt::format("{} with {} warps and {} independent: thread {} has {:.17g} where {:.17g} is "
                        "right",
                        name(instruction), warps, ilp, n, results[n], right));
    }
  }

private:
  std::size_t threads() const { return 32 * warps_on_gpu(most_warps); }
  std::size_t warps_on_gpu(int warps) const { return static_cast<std::size_t>(multiprocessors_ * warps); }

  int multiprocessors_ = gpu_facts().multiprocessors;
  DeviceArray<std::uint64_t> ring_;
  DeviceArray<double> results_;
  DeviceArray<probes::WarpTimes> times_;
};

/// All points of one kind, in one experiment.
class Kind {
public:
  Kind(Instruction instruction, Streams& streams, const Sampling& sampling, Collector& collector)
      : instruction_(instruction), streams_(streams), sampling_(sampling), collector_(collector) {}

  std::vector<IssuePoint> measure() {
    std::vector<IssuePoint> points;
    for (const int ilp : probes::issue_ilps)
      if (ilp % probes::instructions_a_step(instruction_) == 0)
        for (const int warps : warp_counts) points.push_back(measure(ilp, warps));
    return points;
  }

private:
  IssuePoint measure(int ilp, int warps) {
    streams_.verify(instruction_, ilp, warps);
    const Samples cycles = sample(sampling_, [&] { return streams_.cycles(instruction_, ilp, warps); });
    if (ilp == 1 && warps == 1 && has_latency(instruction_))
      add("latency", "cycles", cycles, [](double c) { return c / instructions; });
    const auto per_clock = [&](double c) { return warps * static_cast<double>(instructions) / c; };
    if (ilp == most_ilp && warps == most_warps) add("throughput", "1/clock", cycles, per_clock);
    const double median = statistics(cycles.values).median;
    return {warps, ilp, per_clock(median), median};
  }

  template <class Convert>
  void add(const std::string& figure, const std::string& unit, Samples samples, const Convert& convert) {
    for (double& value : samples.warmup) value = convert(value);
    for (double& value : samples.values) value = convert(value);
    collector_.add(name(instruction_) + ", " + figure,
                   {{"instruction", name(instruction_)}, {"figure", figure}}, unit, samples);
  }

  Instruction instruction_;
  Streams& streams_;
  const Sampling& sampling_;
  Collector& collector_;
};

}  // namespace

ProbeResult run_issue(const Settings& settings) {
  const Sampling sampling = settings.sampling(usual, usual.repeats);
  Collector collector;
  std::map<Instruction, std::vector<IssuePoint>> points;
  for (int n = settings.experiment_count(1, 1); n > 0; --n) {
    Streams streams;
    for (const Instruction instruction : probes::all_instructions) {
      settings.progress(name(instruction));
      for (const IssuePoint& point : Kind(instruction, streams, sampling, collector).measure())
        points[instruction].push_back(point);
    }
  }
  ProbeResult result;
  result.measurements = collector.measurements();
  for (const auto& [instruction, of_kind] : points) {
    result.tables[name(instruction)] = issue_table(of_kind);
    result.derived[name(instruction)] = issue_summary(of_kind);
  }
  result.notes = {
      fmt::format("latency: one warp, each instruction needs the one before; throughput: {} warps with {} "
                  "independent instructions each, in instructions (of 32 lanes) a clock and SM",
                  most_warps, most_ilp),
      fmt::format("warps_to_hide: the fewest warps of an SM that come to {:g} of the kind's peak", hidden)};
  return result;
}

}  // namespace memstencil::membench
