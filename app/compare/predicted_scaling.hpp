// Predicted scaling of a grid code over the nodes of a machine that is only described.
#pragma once

#include "app/compare/model/grid.hpp"
#include "app/compare/predictions.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// The extents of a grid code. @throws Failure(Usage) for a size that is none
model::Triple size_of(const PredictedTask& task);

/// Rows of strong and weak curves, of single sweeps and (himeno) of three fused ones.
/// @param sentences where each curve ends, and whether a job gets so many nodes, are added
/// @throws Failure(Usage) where the description has no number of nodes, or counts of another kind
Record predicted_scaling(const PredictedTask& task, const MachineDescription& machine,
                         const model::MachineRates& rates, std::vector<std::string>& sentences);

}  // namespace memstencil::compare
