// Predictions for machines that are only described, as an answer.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/predict/applications.hpp"
#include "app/compare/read/sample.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// The predicted runs.
struct PredictedTask {
  const Application* application = nullptr;
  std::string size = {};  ///< empty: the application's
  Executor first_touch = Executor::Host;
  bool prefetch = false;
  std::int64_t fused = 1;                       ///< sweeps a pass
  std::optional<std::int64_t> iterations = {};  ///< nothing: the application's
  /// Also the scaling of a grid code to so many nodes, or (0) to all that the machine has.
  std::optional<std::int64_t> nodes = {};
  /// What neither description nor membench gives; nothing: it is named as missing.
  std::optional<model::MachineRates> assumed = {};
};

/// @throws Failure(Usage) for a size that is none, or a parameter of another kind
Record predictions_of(const PredictedTask& task, const std::vector<MachineDescription>& machines);

}  // namespace memstencil::compare
