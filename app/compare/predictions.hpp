// Predictions for machines that are only described, as an answer.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/applications.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// The predicted runs. The host fills the arrays, so it touches them first.
struct PredictedTask {
  const Application* application = nullptr;
  std::string size = {};                        ///< empty: the application's
  std::optional<std::int64_t> iterations = {};  ///< nothing: the application's
  /// Also the scaling of a grid code to so many nodes, or (0) to all that the machine has.
  std::optional<std::int64_t> nodes = {};
  /// What neither description nor membench gives; nothing: it is named as missing.
  std::optional<model::MachineRates> assumed = {};
};

/// @throws Failure(Usage) for a size that is none, or a parameter of another kind
Record predictions_of(const PredictedTask& task, const std::vector<MachineDescription>& machines);

/// Strong and weak curves of single sweeps and, where it has them, of three fused ones: rows as
/// scaling_rows() has them, and `division`.
/// @param asked nodes; 0: all that the machine has
/// @param notes whether a job gets so many nodes is added
/// @throws Failure(Usage) where the description has no number of nodes, or counts of another kind
Record predicted_scaling(const model::Stencil& stencil, const model::Triple& extents,
                         std::int64_t asked, const MachineDescription& machine,
                         const model::MachineRates& rates, std::vector<std::string>& notes);

}  // namespace memstencil::compare
