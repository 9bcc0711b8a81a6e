// Settings in which the sides, or the runs of one side, differ: each may be a reason.
#pragma once

#include "app/compare/side.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

struct Fact {
  std::string name;
  std::vector<std::vector<std::string>> values;  ///< of each side, in the order of its runs
};

/// Those that are known and differ: driver, clocks, page size, revision, environment, ... What is
/// another part of another machine (clocks of two kinds of GPU) is no setting.
std::vector<Fact> differing_facts(const std::vector<Side>& sides);

}  // namespace memstencil::compare
