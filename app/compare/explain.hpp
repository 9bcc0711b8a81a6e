// Reasons in numbers why sides differ: limits and fractions, times by cause, the cost of a memory space.
#pragma once

#include "app/compare/side.hpp"
#include "app/compare/table.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// A speed is the measured limit of its memory or link times the fraction reached: so the ratio of two speeds
/// is the product of two ratios. For each common case that has a limit; no rows where there is none.
Table why_they_differ(const std::vector<Side>& sides);

/// The parts of himeno's wall time, of each case for the run in the middle. Sweeps at the pace of their
/// median, and what they took beyond it (migration, first touch by the other side, interruptions) stand
/// apart. No rows without himeno runs.
Table where_time_goes(const std::vector<Side>& sides);

/// A sentence for each machine and problem that ran in several memory spaces: each one's time against the
/// shortest.
std::vector<std::string> memory_spaces_in_words(const std::vector<Side>& sides);

}  // namespace memstencil::compare
