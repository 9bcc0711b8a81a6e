// What the model says: of the runs that were measured, and of machines that are only described.
#pragma once

#include "app/common/machine_description.hpp"
#include "app/compare/side.hpp"
#include "app/compare/table.hpp"

#include <vector>

namespace memstencil::compare {

/// Each himeno run on a GPU, predicted from the membench runs of its side (what they leave open from the
/// description, then from assumptions), against what was measured, and the prediction's split by cause. No
/// rows for a side without membench results.
/// @throws Failure(Other) as Run's members do
Table predicted_and_measured(const std::vector<Side>& sides);

/// The thesis' Himeno run (section 4.3: XL, 3000 sweeps, arrays touched by the host) on a machine that is
/// only described, in each memory space that it serves.
Table predicted_himeno(const MachineDescription& machine);

/// A hundred transposes of 32768 x 32768 floats by the tuned kernel, touched by the host, in the same way.
Table predicted_transpose(const MachineDescription& machine);

}  // namespace memstencil::compare
