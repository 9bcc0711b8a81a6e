// How sure a ratio of two wall times is: its 95 % interval, from repeats and from processes.
#pragma once

#include "app/compare/read/side.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// Seconds of equal runs: of each process those of its repeats.
using Times = std::vector<std::vector<double>>;
/// Of the runs of a case, brought to so many steps. A file is a process.
Times times_of(const Group& group, std::int64_t steps);

/// A ratio of two times with its interval. Without a spread that was measured on either side the
/// interval has no ends.
struct Ratio {
  double value = 1, low = 0, high = 0;  ///< 0 and 0: no spread was measured
  bool one_process = false;             ///< on a side: repeats of it alone show no other process
  bool predicted = false;               ///< the interval is that of the figures behind both

  bool measured() const { return low > 0; }
  /// Does the interval leave out 1?
  bool told() const { return measured() && (low > 1 || high < 1); }
  /// "± 4 %", "± 7 %, one process each", "no spread was measured"; predicted, or uneven:
  /// "1.55 to 2.10"
  std::string in_words() const;
};

/// The times of `here` over those of `there`: the ratio of the means of their logarithms, by Welch:
/// over the medians of processes where both have two, otherwise over the repeats; then it is wider
/// by 5 %, or by three standard deviations of the repeats.
/// @param value what the ratio is shown as: that of the runs that stand for their cases
Ratio ratio_of(const Times& here, const Times& there, double value);

/// Half the 95 % interval of one time as a fraction; nothing for one run.
std::optional<double> half_width(const Times& times);

}  // namespace memstencil::compare
