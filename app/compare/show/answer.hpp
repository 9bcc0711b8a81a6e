// The whole answer as one JSON object, from which every renderer draws, and its parts:
// docs/compare.md has their members.
#pragma once

#include "app/compare/judge/references.hpp"
#include "app/compare/predict/predictions.hpp"
#include "app/compare/show/screen.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// The screen, and figures as one JSON object.
struct Answer {
  Screen screen = {};
  std::vector<Block> every = {};  ///< problem, with all placements
  Record record = {};
};

/// The first side is the base.
/// @param all figures; otherwise those of the screen and of published ones
/// @throws Failure as those who read a run's members
Answer answer_of(const std::vector<Side>& sides, const std::vector<Reference>& references,
                 bool all);

/// Of machines that are only described: all figures.
Answer answer_of(const Predictions& predictions, const std::vector<Reference>& references);

/// The cases in which the last side is slower than the first one, with its whole interval, by more
/// than `allowed` (a fraction): a line; empty if there is none.
/// @throws Failure(Usage) if no case has two processes on both
std::string slower_than_allowed(const std::vector<Side>& sides, double allowed);

}  // namespace memstencil::compare
