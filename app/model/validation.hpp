// Prediction against measurement.
#pragma once

#include "app/common/record.hpp"
#include "app/model/himeno_model.hpp"
#include "app/model/prediction.hpp"
#include "app/model/transpose_model.hpp"

#include <string>
#include <vector>

namespace memstencil::model {

/// What a himeno record (docs/results-format.md) is a run of; on several ranks the first rank's part, taken
/// for an equal share. @throws Failure(Other) for a record that is none
HimenoCase himeno_case(const Record& record);

/// What a transpose record of one shape and one rank is a run of. Where the copy stands behind a variant it
/// is the yardstick, and no part of the run's time. @throws Failure(Other) for a record that is none
TransposeCase transpose_case(const Record& record);

/// What a prediction is set against, in seconds.
struct Measured {
  Record phases;                           ///< {phase: seconds}
  std::vector<std::string> left_out;       ///< phases that are not predicted
  double first_step = 0, median_step = 0;  ///< a step is a sweep, or an iteration of transpose
  std::int64_t median_of = 0;              ///< so many first steps
};
/// Of a himeno record; of several ranks without the halo.
Measured measured_himeno(const Record& record);
/// Of a transpose record; the steps are those of its first variant. Of several ranks without the messages.
Measured measured_transpose(const Record& record);

/// {phases: [{phase, predicted, measured, error}], total{...}, first_step{...}, median_step{...}, causes,
/// notes}: seconds, and error = predicted / measured - 1, null where nothing was measured. What is left out
/// is so in the total, on both sides.
Record validate(const Prediction& prediction, const Measured& measured);

/// That record as a table for a person.
std::string validation_text(const Record& validation);

}  // namespace memstencil::model
