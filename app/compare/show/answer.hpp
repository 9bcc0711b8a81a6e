// The whole answer as one JSON object, from which every renderer draws, and its parts:
// docs/compare.md has their members.
#pragma once

#include "app/compare/judge/references.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// @param base the number of the side that the others are set against
/// @throws Failure as those who read a run's members
Record answer_of(const std::vector<Side>& sides, std::size_t base,
                 const std::vector<Reference>& references);

/// The cases in which the last side is slower than the base by more than `allowed` (a fraction),
/// and by more than the spread: a line; empty where there is none.
/// @throws Failure(Usage) where they have no case in common
std::string slower_than_allowed(const std::vector<Side>& sides, std::size_t base, double allowed);

}  // namespace memstencil::compare
