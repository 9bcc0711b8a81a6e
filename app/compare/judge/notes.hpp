// What a reader has to know of the runs: what is strange about them, and settings in which they
// differ.
#pragma once

#include "app/compare/read/side.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// What is strange about the runs: hosts that fall out, clocks held down, figures above the theory.
/// @param cases of case_rows()
std::vector<std::string> notes_of(const std::vector<Side>& sides, const Record& cases);

/// Settings that are known and in which the sides, or the runs of one side, differ. What is another
/// part of another machine (clocks of two kinds of GPU) is no setting.
Record fact_rows(const std::vector<Side>& sides);

}  // namespace memstencil::compare
