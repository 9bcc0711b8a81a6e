// Settings in which the sides' runs differ: options, variables, builds and machines.
#pragma once

#include "app/compare/read/side.hpp"

namespace memstencil::compare {

/// [{fact, values: {side: "570 or 580"}}]: settings that are known and in which the sides, or the
/// runs of one side, differ, builds first. A part of another machine (clocks of two kinds of GPU)
/// is no setting.
Record fact_rows(const std::vector<Side>& sides);
/// "driver: a 570; b 580"
/// @param facts of fact_rows()
std::vector<std::string> sentences_of(const Record& facts);

}  // namespace memstencil::compare
