// Reasons in numbers why sides differ: limits and fractions, and himeno's time by cause.
#pragma once

#include "app/compare/side.hpp"
#include "app/compare/table.hpp"

#include <vector>

namespace memstencil::compare {

/// A speed is the measured limit of its memory or link times the fraction reached: so the
/// ratio of two speeds is the product of two ratios. For each common case that has a limit;
/// no rows where there is none.
Table why_they_differ(const std::vector<Side>& sides);

/// The parts of himeno's wall time, of each case for the run that stands for it. Sweeps at the pace
/// of their median, and what they took beyond it (migration, first touch by the other side,
/// interruptions) stand apart. No rows without himeno runs.
Table where_time_goes(const std::vector<Side>& sides);

}  // namespace memstencil::compare
