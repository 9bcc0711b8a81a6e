// The runs for spreadsheets and Python: a row a repeat; and of membench a row a point.
#pragma once

#include "app/compare/read/side.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// Comma-separated, the names of the columns first; what a file does not have is empty.
std::string runs_csv(const std::vector<Side>& sides);
std::string probes_csv(const std::vector<Side>& sides);

}  // namespace memstencil::compare
