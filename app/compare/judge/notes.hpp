// Notes on the runs: all that is unusual about them.
#pragma once

#include "app/compare/read/side.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// Hosts that fall out, clocks held down, runs that stood still, figures above the theory, ...
/// @param cases of case_rows()
std::vector<std::string> notes_of(const std::vector<Side>& sides, const Record& cases);

}  // namespace memstencil::compare
