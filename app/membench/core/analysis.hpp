// The analysis of samples and curves: when to stop, steady series, fits, cycles, chases, levels.
#pragma once

#include "app/membench/core/probe.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace memstencil::membench {

/// Half of the 95 % interval of the mean, over the mean. Samples of one experiment may drift or
/// follow each other: their lag-1 correlation r makes n samples worth n (1 - r) / (1 + r). From
/// three experiments on, the interval is at least as wide as for the experiments' means.
double relative_half_width(const Series& series);
/// "settled", or the interval at which the limit was reached; empty: take more.
std::string reason_to_stop(const Sampling& rule, const Series& series);

/// Summary of a series whose first repeats move pages, in the unit of the series.
struct Settling {
  double first = 0.0;   ///< of the first repeat
  double steady = 0.0;  ///< median of the last quarter of the repeats
  /// The repeat, counted from 1, from which at least nine in ten lie within a fifth of `steady`:
  /// single repeats do drop ([tsukuba-thesis-2024], 5.2.2), and a host's loops vary by more than a
  /// tenth. Nothing if that is not so by the last quarter, or for fewer than four repeats.
  std::optional<std::size_t> repeat;
};
/// @throws std::invalid_argument for an empty series
Settling settling(std::span<const double> series);
/// Seconds that a series took beyond as many steady repeats: for the moving of pages, in the first
/// repeat or spread over many. `counted` is the work of a repeat, in the unit of the series times a
/// second. At least 0.
double seconds_of_moving(std::span<const double> series, double counted);

/// y ~ sum of coefficients[t] * term t. The unit of residuals is y's.
struct Fit {
  std::vector<double> coefficients;
  double r_squared = 0;  ///< 1 - residual / total sum of squares about the mean
  double rms_residual = 0;
  double largest_residual = 0;  ///< the one of largest magnitude, with its sign
};
/// Least squares. `terms`: one column a term, each with the value of the term at every point; a
/// column of ones is a constant. By orthogonal columns (modified Gram-Schmidt), which keeps the
/// digits that normal equations lose.
/// @throws std::invalid_argument for terms that depend on each other, as with fewer points
Fit least_squares(std::vector<std::vector<double>> terms, const std::vector<double>& y);

/// A warp's record of a timed region: begin and end in cycles of its multiprocessor's clock, which
/// all warps of a multiprocessor share and no two multiprocessors do.
struct WarpTimes {
  std::int64_t begin = 0, end = 0;
  std::int64_t sm = 0;  ///< which multiprocessor the warp ran on
};
/// Cycles from the begin of a multiprocessor's first warp to the end of its last
/// ([hiroshima-shared-memory]: begin = min, end = max).
struct SmCycles {
  double median = 0, longest = 0;                                    ///< of the multiprocessors
  double each(double events) const { return median / events; }       ///< cycles of one
  double per_clock(double events) const { return events / median; }  ///< of `events` in all cycles
  double left_out = 0;  ///< multiprocessors with another number of warps than `warps`: their cycles
                        ///< mean something else
};
/// @throws Failure(Machine) if no multiprocessor had `warps`
SmCycles sm_cycles(std::span<const WarpTimes> times, int warps);

/// next[s] is the slot that follows slot s, such that one cycle goes through all `slots` (Sattolo
/// 1986): a chase over it has the whole footprint, in an order that no prefetcher guesses. The same
/// for the same slots and seed.
std::vector<std::uint32_t> random_cycle(std::uint32_t slots, std::uint64_t seed);
/// The slot that is reached from `slot` by `steps` steps.
std::uint32_t follow(const std::vector<std::uint32_t>& next, std::uint32_t slot,
                     std::uint64_t steps);

/// A stretch of footprints that one level of the hierarchy serves.
struct Level {
  std::size_t first = 0, last = 0;  ///< footprints
  double latency = 0;               ///< median, in the curve's unit
  std::size_t holds = 0;            ///< the largest footprint that is nearer to this level than to
                                    ///< the next; of the last level: `last`
};
/// The plateaus of a curve {footprint: latency}: three footprints or more, one after the other,
/// within 8 % of their median. Found, not assumed of any processor.
std::vector<Level> levels_of(const std::map<std::size_t, double>& curve);
}  // namespace memstencil::membench
