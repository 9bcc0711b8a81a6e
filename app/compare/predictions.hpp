// Predictions for machines that are only described.
#pragma once

#include "app/common/machine/machine_description.hpp"
#include "app/compare/table.hpp"
#include "app/model/prediction.hpp"

#include <vector>

namespace memstencil::compare {

/// A prediction's time by cause: the columns, and a row's cells, each a fraction of the whole time.
void add_cause_columns(Table& table);
void add_causes(const model::Prediction& prediction, std::vector<Record>& row);

/// The thesis' Himeno run (section 4.3: XL, 3000 sweeps, arrays touched by the host) on a machine that is
/// only described, in each memory space that it serves.
Table predicted_himeno(const MachineDescription& machine);

/// A hundred transposes of 32768 x 32768 floats by the tuned kernel, touched by the host, in the same way.
Table predicted_transpose(const MachineDescription& machine);

}  // namespace memstencil::compare
