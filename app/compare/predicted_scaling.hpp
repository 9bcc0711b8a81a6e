// Predicted scaling of himeno over the nodes of machines that are only described.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/predicted_task.hpp"
#include "app/compare/report.hpp"

#include <vector>

namespace memstencil::compare {

/// Strong and weak scaling of single and of fused sweeps from device memory, on 1, 2, 4, ... nodes,
/// a rank each GPU, and the number of nodes beyond which more do not pay.
/// @param run.nodes is given
/// @throws Failure(Usage) for a size that is none, or a machine without the parameter `nodes` where
///         all are asked for
Section predicted_scaling(const PredictedRun& run, const std::vector<MachineDescription>& machines);

/// The same curves as the plots of scaling take them (plots/draw.py).
Record scaling_to_draw(const PredictedRun& run, const std::vector<MachineDescription>& machines);

}  // namespace memstencil::compare
