// Scaling that is predicted over the nodes of a machine that is only described.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/predict/applications.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace memstencil::compare {

/// Strong and weak curves of these kinds of sweep (so many in a pass): rows as scaling_rows() has
/// them, and `division`; `rates` are at the ends of the range.
/// @param one the grid of strong scaling, and of weak scaling a rank's
/// @param asked nodes; 0: all that the machine has
/// @param notes whether a job gets so many nodes is added
/// @throws Failure(Usage) if the description has no number of nodes, or counts of another kind
Record predicted_scaling(model::GridCase one, const std::vector<int>& kinds, std::int64_t asked,
                         const MachineDescription& machine, const model::Ends& rates,
                         std::vector<std::string>& notes);

}  // namespace memstencil::compare
