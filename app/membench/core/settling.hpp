// The conclusions from a series of repeats whose first ones move pages.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace memstencil::membench {

/// Summary of a series whose first repeats move pages, in the unit of the series.
struct Settling {
  double first = 0.0;   ///< of the first repeat
  double steady = 0.0;  ///< median of the last quarter of the repeats
  /// The repeat, counted from 1, from which at least nine in ten lie within a fifth of `steady`:
  /// single repeats do drop ([tsukuba-thesis-2024], 5.2.2), and a host's loops vary by more than a
  /// tenth. Nothing where that is not so by the last quarter, or where there are fewer than four
  /// repeats.
  std::optional<std::size_t> repeat;
};

/// @throws std::invalid_argument for an empty series
Settling settling(std::span<const double> series);

/// Seconds that a series took beyond as many steady repeats: for the moving of pages, in the first
/// repeat or spread over many. `counted` is what a repeat counts, in the unit of the series times a
/// second. At least 0.
double seconds_of_moving(std::span<const double> series, double counted);

/// Of each experiment: the samples are those of so many, one after the other, with equally many
/// repeats.
std::vector<Settling> settlings(std::span<const double> samples, int experiments);

}  // namespace memstencil::membench
