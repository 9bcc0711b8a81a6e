// membench's rows in the answer: side by side, and as plots draw them.
#pragma once

#include "app/compare/side.hpp"

#include <vector>

namespace memstencil::compare {

/// [{side, probe, skipped, rows: [{columns by name, label, column, value, series}]}]; `series`, of
/// patterns and migration: the samples of each experiment.
Record probe_record(const std::vector<Side>& sides);

/// A row for each point of a probe that is no curve of many: [{probe, row, unit, values: {side:
/// value}, ratios: {side: over the base's}}].
Record probe_pairs(const std::vector<Side>& sides, std::size_t base);

}  // namespace memstencil::compare
