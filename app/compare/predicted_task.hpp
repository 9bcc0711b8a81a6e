// The task of a prediction, and its time in each memory space of a machine.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/model/machine_rates.hpp"
#include "app/compare/model/prediction.hpp"
#include "app/compare/table.hpp"
#include "memory_spaces/memory_space.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// The predicted runs. The host fills the arrays, so it touches them first.
struct PredictedRun {
  std::string program = "himeno";  ///< or "transpose"
  std::string size = {};           ///< himeno: XL, 512x512x1024; transpose: 32768, 8191x12289
  std::optional<std::int64_t> iterations = {};  ///< of sweeps or transposes
  /// Also its scaling to so many nodes, or (0) to all that the machine has.
  std::optional<std::int64_t> nodes = {};
};

/// Himeno's extents. @throws Failure(Usage) for a size that is none
std::array<std::int64_t, 3> size_of(const PredictedRun& run);

/// The part of a prediction that all machines and memory spaces share.
struct Task {
  std::string what;  ///< "Himeno XL, 3000 sweeps"
  std::string step;  ///< "sweep"
  Column speed;
  double work = 0;   ///< of a step, in the unit of `speed`
  double bytes = 0;  ///< of all arrays
  std::function<model::Prediction(MemorySpace, const model::MachineRates&)> predict;
};
/// @throws Failure(Usage) for a size that is none
Task task_of(const PredictedRun& run);

struct PredictedSpace {
  MemorySpace space;
  std::optional<model::Prediction> prediction;  ///< none where the machine does not serve the space
  std::string refused = {};
};
/// A space that the machine does not serve, or whose arrays do not fit, has the reason instead.
std::vector<PredictedSpace> predicted_spaces(const Task& task, const model::MachineRates& rates);

}  // namespace memstencil::compare
