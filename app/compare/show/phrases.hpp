// Placements and kinds of step in words for people who do not know the program.
#pragma once

#include "app/compare/judge/best.hpp"

#include <string>

namespace memstencil::compare {

/// "managed memory with a prefetch", "device memory filled by the host".
std::string placement_words(const Case& of);
/// "single sweeps", "3 fused sweeps, packed"; of a transpose its variant.
std::string kind_words(const Case& of);
/// "himeno XL": without the extents of a size that has a name.
std::string short_work(const std::string& work);
/// "4 GPUs", "1 rank".
std::string ranks_words(const Best& best);
/// "3000 sweeps"
std::string steps_words(const Problem& problem);
/// "0.617 s", with the mark of a figure that was scaled from another number of steps.
std::string seconds_words(const Ranked& row);

}  // namespace memstencil::compare
