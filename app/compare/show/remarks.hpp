// The screen's last lines: other works in a line, and all that is to be known before quoting it.
#pragma once

#include "app/compare/show/screen.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// "Also, h200 to h100: himeno L 1.40; heat ...": of the largest other works, like with like.
/// @param rates of probe_pairs()
std::string also_of(const std::vector<Problem>& problems, const std::vector<std::string>& sides,
                    const Record& rates);

/// Settings that differ in the runs that are shown, notes on them, and the runs left out.
/// @param cases of case_rows()
std::vector<std::string> know_of(const std::vector<Side>& sides,
                                 const std::vector<Problem>& problems, const Record& cases);

}  // namespace memstencil::compare
