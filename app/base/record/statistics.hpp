// Statistics of raw samples: the middle, the spread, and how sure the mean is.
#pragma once

#include "app/base/record/record.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace memstencil {

/// As records carry the spread of raw samples.
struct Spread {
  double minimum = 0, median = 0, maximum = 0;
  void describe(Archive& a) const;
};

/// In the unit of the samples. The interval is Student's t for the mean, two-sided 95 %. With one
/// sample it has no width and says nothing.
struct Statistics : Spread {
  std::size_t count = 0;
  double mean = 0;
  double confidence_low = 0, confidence_high = 0;
  /// Half the interval over |mean|; 0 for a mean of 0.
  double relative_half_width = 0;
};

/// @param measured how many of the samples were measured; the others share the time of one of them,
///        so that they make the mean no surer
/// @throws std::invalid_argument for no samples, or where one is not finite
Statistics statistics(std::span<const double> samples, std::size_t measured);
inline Statistics statistics(std::span<const double> samples) {
  return statistics(samples, samples.size());
}

inline Spread spread_of(std::span<const double> samples) { return statistics(samples); }

/// The samples that a record keeps: all up to 10^6, of more each n-th, from the first on, where n
/// is the least with which that many do. Statistics are of all.
constexpr std::size_t most_kept_samples = 1'000'000;
std::vector<double> kept_samples(std::span<const double> samples);

/// The two-sided 95 % quantile of Student's t. `freedom` >= 1. Exact to 1e-9 relative.
double student_t_95(std::size_t freedom);

}  // namespace memstencil
