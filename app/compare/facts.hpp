// Facts of the machines and settings of the runs, side by side.
#pragma once

#include "app/compare/side.hpp"
#include "app/compare/table.hpp"

#include <vector>

namespace memstencil::compare {

/// The machines with their hosts, files and main facts.
Table machines_table(const std::vector<Side>& sides);
/// In differing_facts(): what a result does not tell.
inline constexpr const char* not_known = "not known";
/// Settings that differ between runs: page size, clocks, driver, revision, variables of the
/// environment, ... No rows where none does.
Table differing_facts(const std::vector<Side>& sides);

}  // namespace memstencil::compare
