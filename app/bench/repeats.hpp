// The repeats of a run, and the one that stands for all.
#pragma once

#include "app/base/cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

namespace memstencil {

/// Shows how far one of several runs is.
struct RunProgress {
  ProgressLine& line;
  std::string which;  ///< "run 2 of 3, "; empty where there is one alone

  /// `text()` says how far; it is called only where it is shown.
  template <class Text>
  void operator()(Text&& text) const {
    line.show([&] { return which + text(); });
  }
};

/// The results of so many runs, each made by `run_once(progress)`.
template <class RunOnce>
auto repeated(int count, ProgressLine& line, RunOnce&& run_once) {
  std::vector<std::invoke_result_t<RunOnce&, const RunProgress&>> runs;
  for (int n = 1; n <= count; ++n) {
    const std::string which = count > 1 ? fmt::format("run {} of {}, ", n, count) : "";
    runs.push_back(run_once(RunProgress{line, which}));
  }
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
