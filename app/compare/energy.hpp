// Energy to solution side by side, and the runs whose clocks were held down.
#pragma once

#include "app/compare/side.hpp"
#include "app/compare/table.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// A row for each case of himeno, and each variant of a transpose, whose GPUs or hosts told their
/// energy: joules of the timed part and of a step, mean power, GFLOPS a watt, and the ratio of the
/// joules. Of several runs of a case the median of each figure.
Table energy_table(const std::vector<Side>& sides);

/// A warning for each case with a run whose GPU was throttled.
std::vector<std::string> throttled_in_words(const std::vector<Side>& sides);
/// The same in one sentence for each side, for the summary.
std::vector<std::string> throttled_sides(const std::vector<Side>& sides);

}  // namespace memstencil::compare
