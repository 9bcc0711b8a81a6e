// The headline: who is how many times as fast, like with like, then each side at its best; and
// where arrays should lie.
#pragma once

#include "app/compare/judge/best.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// One or two sentences for each side; of one side what it takes, and its best.
std::vector<std::string> headline_of(const std::vector<Side>& sides,
                                     const std::vector<Problem>& problems);

/// Where to put arrays, for all sides: the best placement of the problem, and what others cost per
/// run and per step; empty if there is one.
std::string placement_of(const std::vector<Side>& sides, const Problem& problem);

}  // namespace memstencil::compare
