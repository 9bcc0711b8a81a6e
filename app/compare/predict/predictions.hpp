// Predictions for machines that are only described: runs as a program would have written them, so
// that they are ranked, compared and shown as measured ones are.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/predict/rates.hpp"
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
  bool filled_by_host = true;
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

}  // namespace memstencil::compare
