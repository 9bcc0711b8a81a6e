// The answer that comes first: which memory is the fastest on each machine, why, and what differs.
#pragma once

#include "app/compare/report.hpp"
#include "app/compare/side.hpp"

#include <vector>

namespace memstencil::compare {

/// Sections that fit a screen and a half: machines; memory spaces ranked; machine against machine;
/// facts that differ; how far the model was off.
/// @param models tables of predicted_and_measured()
std::vector<Section> summary_of(const std::vector<Side>& sides, const std::vector<Table>& models);

/// Every ranking with all its rows, of each problem that ran in several memories.
std::vector<Table> all_rankings(const std::vector<Side>& sides);

}  // namespace memstencil::compare
