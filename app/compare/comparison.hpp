// Tables of the cases that sides have in common, with ratios; and what only one of them has.
#pragma once

#include "app/compare/side.hpp"
#include "app/compare/table.hpp"

#include <vector>

namespace memstencil::compare {

/// A table for each kind of figure. Cases that at least two sides have; with one side, all of its.
/// Besides the medians: the spread of several runs, fractions of the limit measured in the
/// same run and of theory where known, and the ratio to the first side.
std::vector<Table> side_by_side(const std::vector<Side>& sides);

/// Cases that one side alone has; no rows where there are none.
Table only_one_has(const std::vector<Side>& sides);

/// Do two sides share a case? Always with one side.
bool anything_in_common(const std::vector<Side>& sides);

}  // namespace memstencil::compare
