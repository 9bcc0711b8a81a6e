// Errors of the model: each measured run, predicted from membench's rates of its machine.
#pragma once

#include "app/compare/side.hpp"
#include "app/compare/table.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// Each himeno run on a GPU, and each transpose of one shape, predicted from the
/// membench runs of its side (what they leave open from the description, then from assumptions),
/// against what was measured, and the predicted time by cause: a table a program. No rows for a
/// side without membench results.
/// @throws Failure(Other) as Run's members do
std::vector<Table> predicted_and_measured(const std::vector<Side>& sides);

/// The number of runs of each machine predicted within 15 % of their time, and the worst run: a
/// sentence a machine over all tables.
std::vector<std::string> errors_in_words(const std::vector<Table>& predicted);

}  // namespace memstencil::compare
