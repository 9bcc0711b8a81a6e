// Probe shared: loads from shared memory by instructions, warps and congestion
// ([hiroshima-shared-memory]).
#include "app/membench/hierarchy/shared.hpp"

#include "app/membench/core/gpu.hpp"
#include "kernels/probes/shared.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>

namespace memstencil::membench::shared_probe {

namespace {

using probes::shared_points;
using probes::SharedEnd;

/// [hiroshima-shared-memory], section 4: the mean of 100 repeats.
constexpr int paper_repeats = 100;
/// The first fetch the kernel's instructions.
constexpr int warmups = 2;

constexpr unsigned banks = 32;
/// Cycles from one load of a warp to its next, as ptxas schedules loads
/// in order (seen in the SASS).
constexpr int cycles_between_loads = 4;

/// Cycles of every combination for one number of loads, as they were counted: an
/// experiment after the other.
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

/// @throws Failure(Verification) where a warp read something else than what is in shared memory
Cycles count(int word_bytes, int loads, SharedEnd end, const Settings& settings) {
  Cycles cycles(settings.sampling({.repeats = paper_repeats}, paper_repeats).repeats);
  for (int n = settings.experiment_count(); n > 0; --n) {
    require_memory(MemorySpace::Device, cycles.count() * sizeof(std::uint32_t));
    const DeviceArray<std::uint32_t> counted(cycles.count());
    DeviceArray<std::uint32_t> wrong(1);
    wrong.set({0});
    in_cuda<probes::time_shared_loads>(
        word_bytes, loads, end,
        probes::SharedLoads{counted.data(), wrong.data(), cycles.repeats()});
    const std::uint32_t wrong_lanes = wrong.all().front();
    verify(wrong_lanes == 0, "{} lanes read wrong words from shared memory ({} bytes, {} loads)",
           wrong_lanes, word_bytes, loads);
    cycles.add(counted);
  }
  return cycles;
}

/// The kernels of a grid of combinations.
struct Grid {
  int word_bytes;
  SharedEnd end;

  bool as_printed() const { return end == SharedEnd::Issued; }
  std::string name() const {
    return fmt::format("{}-bit loads{}", 8 * word_bytes, as_printed() ? ", as printed" : "");
  }
  std::string clock() const { return as_printed() ? "as printed, loads issued" : "data arrived"; }
};
constexpr std::array grids{Grid{8, SharedEnd::Arrived}, Grid{4, SharedEnd::Arrived},
                           Grid{8, SharedEnd::Issued}};

void add(ProbeResult& result, int word_bytes, int i, int w, int c, const std::string& clock,
         const Samples& samples, int experiments) {
  const std::string what = i > 0 ? fmt::format("i = {}, w = {}, c = {}", i, w, c) : "empty";
  result.measurements.push_back(
      {.name = fmt::format("{}-bit loads, {}, {}", 8 * word_bytes, what, clock),
       .parameters =
           {{"word_bits", 8 * word_bytes}, {"i", i}, {"w", w}, {"c", c}, {"clock", clock}},
       .unit = "cycles",
       .samples = samples,
       .experiments = experiments});
}

/// All combinations of a grid: their table, and the measurements worth a line of their own.
std::vector<SharedPoint> measure(const Grid& grid, const Settings& settings, ProbeResult& result,
                                 Record& table) {
  const int word_bytes = grid.word_bytes, experiments = settings.experiment_count();
  std::vector<SharedPoint> points;
  const Samples empty = count(word_bytes, 0, grid.end, settings).samples(1, 1, 0);
  const double overhead = median(empty);
  if (!grid.as_printed()) add(result, word_bytes, 0, 1, 1, "two clock reads", empty, experiments);
  for (int i = 1; i <= shared_points; ++i) {
    settings.progress(fmt::format("{}, {} of {}", grid.name(), i, shared_points));
    const Cycles cycles = count(word_bytes, i, grid.end, settings);
    for (int w = 1; w <= shared_points; ++w)
      for (int c = 1; c <= shared_points; ++c) {
        const Samples samples = cycles.samples(w, c, overhead);
        const Statistics s = statistics(samples.values);
        points.push_back({i, w, c, s.minimum, s.mean});
        add_row(table, {{"i", i},
                        {"w", w},
                        {"c", c},
                        {"min", s.minimum},
                        {"median", s.median},
                        {"mean", s.mean}});
        const bool corner = i == w && w == c && (i == 1 || i == shared_points);
        if (corner) add(result, word_bytes, i, w, c, grid.clock(), samples, experiments);
      }
  }
  return points;
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

/// The largest difference between the clocks of a multiprocessor's four sub-partitions:
/// the median over the repeats.
double clock_difference() {
  constexpr int repeats = paper_repeats;
  const DeviceArray<std::uint32_t> on_gpu(std::size_t{4} * repeats);
  in_cuda<probes::read_subpartition_clocks>(on_gpu.data(), repeats);
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

ProbeResult run(const Settings& settings) {
  ProbeResult result;
  for (const Grid& grid : grids) {
    Record& table = result.tables[grid.name()];
    const std::vector<SharedPoint> points = measure(grid, settings, result, table);
    const Fit paper = paper_fit(points), hopper = hopper_fit(points, grid.word_bytes);
    table["paper_residual"] = paper.residuals;
    table["hopper_residual"] = hopper.residuals;
    result.derived[grid.name()] = {
        {"paper_fit", fit_record("C1*i*w*c + C2", paper)},
        {"hopper_fit", fit_record("C1*i*max(4, max(2, w)*passes(c)) + C2*w + C3", hopper)},
        {"minimum_latency", points.front().minimum},
        {"mean_latency", points.front().mean}};
  }
  result.derived["subpartition_clock_difference"] = clock_difference();
  result.notes = {
      "i loads, w warps, congestion c; cycles of %clock of the multiprocessor, the empty "
      "measurement subtracted; from the first warp's begin to the last warp's end",
      "the second clock is read when the last load's data have come; 'as printed' is the paper's "
      "list 3, where today's GPUs do not wait for them"};
  return result;
}

/// The lanes of [first, last) read different words, so the fullest bank
/// has as many passes as lanes.
int passes_of_lanes(unsigned first, unsigned last, unsigned congestion, unsigned parts) {
  std::array<int, banks> lanes{};
  for (unsigned lane = first; lane < last; ++lane)
    for (unsigned part = 0; part < parts; ++part)
      ++lanes[(probes::congested_word(lane, congestion) * parts + part) % banks];
  return *std::max_element(lanes.begin(), lanes.end());
}

using TermsOfPoint = std::function<std::vector<double>(const SharedPoint&)>;

Fit fit(const std::vector<SharedPoint>& points, const TermsOfPoint& terms_of) {
  std::vector<std::vector<double>> columns;
  std::vector<double> means;
  for (const SharedPoint& point : points) {
    const std::vector<double> row = terms_of(point);
    columns.resize(row.size());
    for (std::size_t t = 0; t < row.size(); ++t) columns[t].push_back(row[t]);
    means.push_back(point.mean);
  }
  return least_squares({columns.begin(), columns.end()}, means);
}

}  // namespace

extern const Probe probe{
    .name = "shared",
    .summary = "shared-memory loads by instructions, warps and bank conflicts, and a fit",
    .source = "[hiroshima-shared-memory]",
    .counted = "cycles of the clock register, the empty measurement subtracted",
    .refused = refuse_without_cuda,
    .run = run};

int bank_wavefronts(unsigned congestion, int word_bytes) {
  const unsigned parts = static_cast<unsigned>(word_bytes) / 4;
  const unsigned at_once = probes::warp_lanes / parts;
  int passes = 0;
  for (unsigned first = 0; first < probes::warp_lanes; first += at_once)
    passes += passes_of_lanes(first, first + at_once, congestion, parts);
  return passes;
}

Fit paper_fit(const std::vector<SharedPoint>& points) {
  return fit(points, [](const SharedPoint& p) {
    return std::vector<double>{static_cast<double>(p.loads * p.warps * p.congestion), 1.0};
  });
}

Fit hopper_fit(const std::vector<SharedPoint>& points, int word_bytes) {
  return fit(points, [word_bytes](const SharedPoint& p) {
    const int passes = bank_wavefronts(static_cast<unsigned>(p.congestion), word_bytes);
    const int cycles = p.loads * std::max(cycles_between_loads, std::max(2, p.warps) * passes);
    return std::vector<double>{static_cast<double>(cycles), static_cast<double>(p.warps), 1.0};
  });
}

}  // namespace memstencil::membench::shared_probe
