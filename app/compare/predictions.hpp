// Predictions for machines that are only described, as an answer.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/base/record/record.hpp"
#include "app/compare/model/rates.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// The predicted runs. The host fills the arrays, so it touches them first.
struct PredictedTask {
  std::string program = "himeno";  ///< or "heat", "transpose"
  std::string size = {};           ///< himeno: XL, 512x512x1024; transpose: 32768, 8191x12289
  std::optional<std::int64_t> iterations = {};  ///< of sweeps or transposes
  /// Also the scaling of a grid code to so many nodes, or (0) to all that the machine has.
  std::optional<std::int64_t> nodes = {};
  /// What neither description nor membench gives; nothing: it is named as missing.
  std::optional<model::MachineRates> assumed = {};
};

/// {title, notes, predictions: {what, step, unit, machines: [{machine, title, memories: [{memory,
/// seconds, to_best, speed, first_step, last_step, causes, missing, why}], scaling: [{scaling,
/// curve, nodes, ranks, division, rate, unit, speedup, efficiency, messages, not_predicted}]}]}}
/// @throws Failure(Usage) for a size that is none, or a parameter of another kind
Record predictions_of(const PredictedTask& task, const std::vector<MachineDescription>& machines);

}  // namespace memstencil::compare
