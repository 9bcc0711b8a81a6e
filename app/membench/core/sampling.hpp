// How often a probe measures one thing, and what came of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace memstencil::membench {

/// Warm-ups are kept apart. Then at least `repeats` samples, and on until the relative half-width of
/// the mean's 95 % interval is under `half_width` (thesis 002, section 4.1: 5 %), at most `limit`.
struct Sampling {
  int warmups = 2;
  int repeats = 20;
  int limit = 100;
  double half_width = 0.05;
};

/// In the order in which they were taken, in the unit of what was measured.
struct Samples {
  std::vector<double> warmup;
  std::vector<double> values;
  std::string stopped;  ///< why no more were taken: "half-width under 5 %", "limit of N reached"

  /// Adds the samples of a further experiment. `stopped` then tells of the limit where any reached it.
  void append(const Samples& later);
};

Samples sample(const Sampling& sampling, const std::function<double()>& measure);

}  // namespace memstencil::membench
