// Predictions in sentences: which machine and memory is the faster one, and by how much.
#pragma once

#include "app/base/record/record.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// The machines against the first, best against best and in unified memory; then the memories of
/// each whose order is not sure.
/// @param machines of predictions_of()
std::vector<std::string> predicted_sentences(const Record& machines, const std::string& step);

}  // namespace memstencil::compare
