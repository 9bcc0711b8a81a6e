// The repeats of a run, and the one that stands for all.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

namespace memstencil {

/// The results of so many runs, each made by `run_once(which)`: "run 2 of 3, ", empty where there
/// is one alone.
template <class RunOnce>
auto repeated(int count, RunOnce&& run_once) {
  std::vector<std::invoke_result_t<RunOnce&, const std::string&>> runs;
  for (int n = 1; n <= count; ++n)
    runs.push_back(run_once(count > 1 ? fmt::format("run {} of {}, ", n, count) : ""));
  return runs;
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
