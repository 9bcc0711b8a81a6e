// Predictions for machines that are only described.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/predicted_task.hpp"
#include "app/compare/report.hpp"

#include <vector>

namespace memstencil::compare {

/// A prediction's time by cause: the columns, and a row's cells, each a fraction of the whole time.
void add_cause_columns(Table& table);
void add_causes(const model::Prediction& prediction, std::vector<Record>& row);

/// Each machine's run in each memory space. The summary ranks the spaces by their predicted time,
/// with the band of the model's error and what is assumed; the sections have all figures and the
/// time by cause. A space that the machine does not serve has a row with the reason.
/// @throws Failure(Usage) for a size that is none
Report predicted_report(const PredictedRun& run, const std::vector<MachineDescription>& machines);

/// The same for the plot: {what, machines: [{machine, memories: [{memory, seconds, least, most,
/// causes: {name: seconds}}]}]}, the memory spaces that each machine serves.
/// @throws as predicted_report
Record predictions_to_draw(const PredictedRun& run,
                           const std::vector<MachineDescription>& machines);

}  // namespace memstencil::compare
