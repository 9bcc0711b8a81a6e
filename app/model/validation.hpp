// Prediction against measurement.
#pragma once

#include "app/common/record.hpp"
#include "app/model/himeno_model.hpp"
#include "app/model/prediction.hpp"

#include <string>

namespace memstencil::model {

/// What a himeno record (docs/results-format.md) is a run of; on several ranks the first rank's part, taken
/// for an equal share. @throws Failure(Other) for a record that is none
HimenoCase himeno_case(const Record& record);

/// {phases: [{phase, predicted, measured, error}], total{...}, first_sweep{...}, median_sweep{...}, causes,
/// notes}: seconds, and error = predicted / measured - 1, null where nothing was measured. The record is a
/// himeno result's; on several ranks halo is left out of the total on both sides.
Record validate(const Prediction& prediction, const Record& measured);

/// That record as a table for a person.
std::string validation_text(const Record& validation);

}  // namespace memstencil::model
