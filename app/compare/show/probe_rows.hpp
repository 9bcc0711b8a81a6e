// The rows of membench's probes in the answer.
#pragma once

#include "app/compare/read/side.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// membench's rows: of each side, as plots draw them; and side by side, of probes with many points
/// those that follow from others.
Record probe_rows_of(const std::vector<Side>& sides);
/// @param probes of probe_rows_of()
Record probe_pairs(const Record& probes, const std::string& base);

}  // namespace memstencil::compare
