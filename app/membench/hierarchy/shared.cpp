// The shared probe: loads from shared memory by instructions, warps and congestion (paper 000).
#include "kernels/probes/shared.hpp"

#include "app/common/failure.hpp"
#include "app/common/statistics.hpp"
#include "app/membench/core/collector.hpp"
#include "app/membench/core/device_array.hpp"
#include "app/membench/core/memory_check.hpp"
#include "app/membench/core/probes.hpp"
#include "app/membench/hierarchy/shared_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace memstencil::membench {

namespace {

using probes::shared_points;
using probes::SharedEnd;

/// Paper 000, section 4: the mean of 100 repeats.
constexpr int paper_repeats = 100;
/// The first fetch the kernel's instructions.
constexpr int warmups = 2;

/// Cycles of every combination for one number of loads, as they were counted: an experiment after the other.
class Cycles {
public:
  explicit Cycles(int repeats) : repeats_(repeats + warmups) {}

  int repeats() const { return repeats_; }
  /// Of an experiment.
  std::size_t count() const { return combinations * static_cast<std::size_t>(repeats_); }
  void add(const DeviceArray<std::uint32_t>& counted) { experiments_.push_back(counted.all()); }
  /// Those of one combination, `overhead` subtracted.
  Samples samples(int warps, int congestion, double overhead) const {
    const int combination = (congestion - 1) * shared_points + warps - 1;
    Samples s;
    for (const std::vector<std::uint32_t>& counted : experiments_) {
      const auto* const first =
          &counted[static_cast<std::size_t>(combination) * static_cast<std::size_t>(repeats_)];
      for (int n = 0; n < repeats_; ++n)
        (n < warmups ? s.warmup : s.values).push_back(static_cast<double>(first[n]) - overhead);
    }
    s.stopped = fmt::format("all {} repeats", repeats_ - warmups);
    return s;
  }

private:
  static constexpr std::size_t combinations = std::size_t{shared_points} * shared_points;
  int repeats_;
  std::vector<std::vector<std::uint32_t>> experiments_;
};

/// How often everything is measured.
struct Times {
  int repeats, experiments;
};

/// @throws Failure(Verification) where a warp read something else than what is in shared memory
Cycles count(int word_bytes, int loads, SharedEnd end, const Times& times) {
  Cycles cycles(times.repeats);
  for (int n = 0; n < times.experiments; ++n) {
    require_memory(MemorySpace::Device, cycles.count() * sizeof(std::uint32_t));
    const DeviceArray<std::uint32_t> counted(cycles.count());
    DeviceArray<std::uint32_t> wrong(1);
    wrong.set({0});
    probes::time_shared_loads(word_bytes, loads, end,
                              {.cycles = counted.data(), .wrong = wrong.data(), .repeats = cycles.repeats()});
    if (const std::uint32_t wrong_lanes = wrong.all().front(); wrong_lanes > 0)
      throw Failure(ExitCode::Verification,
                    fmt::format("{} lanes read wrong words from shared memory ({} bytes, {} loads)",
                                wrong_lanes, word_bytes, loads));
    cycles.add(counted);
  }
  return cycles;
}

/// The table of all combinations with a word of `word_bytes`, and the measurements worth a line of their own.
struct WordRun {
  std::vector<SharedPoint> points;
  std::vector<Measurement> measurements;
};

Measurement measurement(int word_bytes, int i, int w, int c, const std::string& clock,
                        const Samples& samples) {
  const std::string what = i > 0 ? fmt::format("i = {}, w = {}, c = {}", i, w, c) : "empty";
  return {.name = fmt::format("{}-bit loads, {}, {}", 8 * word_bytes, what, clock),
          .parameters = {{"word_bits", 8 * word_bytes}, {"i", i}, {"w", w}, {"c", c}, {"clock", clock}},
          .unit = "cycles",
          .samples = samples};
}

WordRun run_word(int word_bytes, const Times& times, const Settings& settings) {
  WordRun run;
  const Samples empty = count(word_bytes, 0, SharedEnd::Arrived, times).samples(1, 1, 0);
  const double overhead = statistics(empty.values).median;
  run.measurements.push_back(measurement(word_bytes, 0, 1, 1, "two clock reads", empty));
  for (int i = 1; i <= shared_points; ++i) {
    settings.progress(fmt::format("{}-bit loads, {} of {}", 8 * word_bytes, i, shared_points));
    const Cycles cycles = count(word_bytes, i, SharedEnd::Arrived, times);
    for (int w = 1; w <= shared_points; ++w)
      for (int c = 1; c <= shared_points; ++c) {
        const Samples samples = cycles.samples(w, c, overhead);
        const Statistics s = statistics(samples.values);
        run.points.push_back({i, w, c, s.minimum, s.median, s.mean});
        const bool corner = i == w && w == c && (i == 1 || i == shared_points);
        if (corner) run.measurements.push_back(measurement(word_bytes, i, w, c, "data arrived", samples));
      }
  }
  if (word_bytes == 8)
    run.measurements.push_back(
        measurement(word_bytes, 1, 1, 1, "as printed, loads issued",
                    count(word_bytes, 1, SharedEnd::Issued, times).samples(1, 1, overhead)));
  return run;
}

Record fit_record(const std::string& model, const Fit& fit) {
  Record record{{"model", model}};
  for (std::size_t n = 0; n < fit.coefficients.size(); ++n)
    record[fmt::format("C{}", n + 1)] = fit.coefficients[n];
  record["r_squared"] = fit.r_squared;
  record["rms_residual"] = fit.rms_residual;
  record["largest_residual"] = fit.largest_residual;
  record["median_relative_residual"] = fit.median_relative_residual;
  return record;
}

Record table(const std::vector<SharedPoint>& points, const Fit& paper, const Fit& hopper) {
  Record columns;
  for (const SharedPoint& p : points) {
    columns["i"].push_back(p.loads);
    columns["w"].push_back(p.warps);
    columns["c"].push_back(p.congestion);
    columns["min"].push_back(p.minimum);
    columns["median"].push_back(p.median);
    columns["mean"].push_back(p.mean);
  }
  columns["paper_residual"] = paper.residuals;
  columns["hopper_residual"] = hopper.residuals;
  return columns;
}

/// How far the clocks of the four sub-partitions of a multiprocessor are apart, at most: the median over the
/// repeats.
double clock_difference() {
  constexpr int repeats = paper_repeats;
  const DeviceArray<std::uint32_t> on_gpu(std::size_t{4} * repeats);
  probes::read_subpartition_clocks(on_gpu.data(), repeats);
  const std::vector<std::uint32_t> clocks = on_gpu.all();
  double most = 0;
  for (std::size_t part = 1; part < 4; ++part) {
    std::vector<double> differences;
    for (std::size_t n = part; n < clocks.size(); n += 4)
      differences.push_back(static_cast<std::int32_t>(clocks[n] - clocks[n - part]));
    most = std::max(most, std::abs(statistics(differences).median));
  }
  return most;
}

}  // namespace

ProbeResult run_shared(const Settings& settings) {
  const Times times{settings.sampling({.repeats = paper_repeats}, paper_repeats).repeats,
                    settings.experiment_count(1, 1)};
  ProbeResult result;
  for (const int word_bytes : {8, 4}) {
    const WordRun run = run_word(word_bytes, times, settings);
    const Fit paper = paper_fit(run.points), hopper = hopper_fit(run.points, word_bytes);
    const std::string name = fmt::format("{}-bit loads", 8 * word_bytes);
    result.derived[name] = {
        {"paper_fit", fit_record("C1*i*w*c + C2", paper)},
        {"hopper_fit", fit_record("C1*i*max(4, max(2, w)*passes(c)) + C2*w + C3", hopper)},
        {"minimum_latency", run.points.front().minimum}};
    result.tables[name] = table(run.points, paper, hopper);
    result.measurements.insert(result.measurements.end(), run.measurements.begin(), run.measurements.end());
  }
  result.derived["subpartition_clock_difference"] = clock_difference();
  result.notes = {
      "i loads, w warps, congestion c; cycles of %clock of the multiprocessor, the empty measurement "
      "subtracted; from the first warp's begin to the last warp's end",
      "the second clock is read when the last load's data have come; 'as printed' is the paper's list 3, "
      "where today's GPUs do not wait for them"};
  return result;
}

}  // namespace memstencil::membench
