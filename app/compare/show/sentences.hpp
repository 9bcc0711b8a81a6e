// The answer in sentences, measured or predicted: which side and memory is the faster one, by how
// much, and why.
#pragma once

#include "app/compare/judge/ranking.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// Sentences: each side against the base, best against best, in one kind of step, and in unified
/// memory; then the fastest memory and kind of each side.
std::vector<std::string> sentences(const std::vector<Side>& sides, std::size_t base,
                                   const std::vector<Problem>& problems);

/// The machines against the first, best against best and in unified memory; then the memories of
/// each whose order is not sure.
/// @param machines of predictions_of()
std::vector<std::string> predicted_sentences(const Record& machines, const std::string& step);

}  // namespace memstencil::compare
