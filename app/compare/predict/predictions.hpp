// Predictions for machines that are only described: runs as a program would have written them, so
// that they are ranked, compared and shown as measured ones are.
#pragma once

#include "app/compare/predict/applications.hpp"

namespace memstencil::compare {

/// The predicted runs.
struct PredictedTask {
  const Application* application = nullptr;
  std::string size = {};                     ///< empty: the application's
  std::optional<Executor> first_touch = {};  ///< nothing: the host
  bool prefetch = false;
  std::optional<std::int64_t> fused = {};       ///< sweeps a pass; nothing: each kind there is
  std::optional<std::int64_t> iterations = {};  ///< nothing: the application's
  /// Also the scaling of a grid code to this number of nodes, or (0) to all that the machine has.
  std::optional<std::int64_t> nodes = {};
  /// What neither description nor membench gives; nothing: it is named as missing.
  std::optional<model::MachineRates> assumed = {};
};

struct Predictions {
  /// A side each machine. If a machine that has sweeps has no wall time, all are of sweeps alone.
  std::vector<Run> runs = {};
  Record about = {};                 ///< as the answer has it: {unit, steps_alone}
  Record scaling = Record::array();  ///< as scaling_rows() has it
  std::vector<std::string> notes = {};
  std::vector<std::string> unpublished = {};  ///< figures that no source gives, a line a machine
  std::vector<std::string> left_out = {};     ///< memories, each with the reason
};

/// @throws Failure(Usage): a size that is none, fewer steps than a pass makes, a parameter of
/// another kind; Failure(Machine): no memory runs such sweeps
Predictions predictions_of(const PredictedTask& task,
                           const std::vector<MachineDescription>& machines);

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
