// The repeats of a run, and the one that stands for all.
#pragma once

#include "app/base/ranks/collectively.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace memstencil {

inline constexpr int most_repeats = 10'000;
inline constexpr const char* repeat_help =
    "Number of whole runs\nEach allocates its arrays; the report is of the run with the median "
    "time";
/// Iterations of all repeats together, at most: the time of each is kept, and written as a number.
inline constexpr std::int64_t most_iterations = 10'000'000;
/// @throws CollectiveFailure(Usage) if there are more
inline void check_iterations(std::int64_t iterations, int repeat) {
  if (iterations > most_iterations / repeat)
    throw CollectiveFailure(ExitCode::Usage,
                            fmt::format("--iterations {} and --repeat {} make {} iterations: at "
                                        "most {} are valid",
                                        iterations, repeat, iterations * repeat, most_iterations));
}

/// The run whose seconds are the median, the slower one of two in the middle: it stands for all.
template <class Run, class SecondsOf>
const Run& median_run(const std::vector<Run>& runs, const SecondsOf& seconds_of) {
  std::vector<const Run*> order;
  for (const Run& run : runs) order.push_back(&run);
  std::sort(order.begin(), order.end(),
            [&](const Run* a, const Run* b) { return seconds_of(*a) > seconds_of(*b); });
  return *order[(order.size() - 1) / 2];
}

}  // namespace memstencil
