// Measured runs next to what the model predicts of them, from the rates of their machine.
#pragma once

#include "app/compare/predict/applications.hpp"
#include "app/compare/read/side.hpp"

#include <map>
#include <optional>
#include <vector>

namespace memstencil::compare {

/// The whole run: of a transpose with all its variants. What no rate could predict has one phase,
/// which says why.
model::Prediction predict(const Sample& sample, const model::MachineRates& rates);

using ProbedRates = std::map<std::string, model::MachineRates>;
/// By the rates of its GPU: membench's, and what these leave open from the side's description.
/// @param probed of the side's runs
model::Prediction predict(const Side& side, const ProbedRates& probed, const Sample& sample);

/// The speed of the sweeps, in the unit of the sample; nothing if they are not predicted.
std::optional<double> predicted_rate(const model::Prediction& prediction, const Sample& sample);

/// [{side, case, predicted, measured, error, causes, not_predicted, ...}] of the sides that
/// membench has measured, a row a case.
Record model_rows(const std::vector<Side>& sides);

}  // namespace memstencil::compare
