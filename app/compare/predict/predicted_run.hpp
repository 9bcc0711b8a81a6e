// The parts of predictions: one run, with its time at the ends of all figures' ranges and its
// record, and scaling over nodes.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/predict/applications.hpp"

#include <functional>
#include <limits>
#include <set>

namespace memstencil::compare {

/// The part of a run that all machines and memory spaces share.
struct Work {
  std::string unit;
  double amount = 0;                              ///< of all steps, in 10^9 of the unit
  double moved = 0;                               ///< bytes of all steps, read and written
  double bytes = 0;                               ///< of all arrays
  int fused = 1;                                  ///< sweeps a pass
  std::pair<const char*, model::Rate> over_link;  ///< the limit of steps over a link
  std::function<model::Prediction(const model::Placement&, const model::MachineRates&)> predict;
  Record record = {};  ///< members of its record
};

class PredictedRun {
public:
  PredictedRun(const Work& work, model::Placement placement, const model::Ends& rates);

  MemorySpace space() const { return placement_.space; }
  const Work& work() const { return work_; }
  /// Why it cannot run there, or which figure of its steps is missing; empty otherwise.
  const std::string& why_not() const { return why_not_; }
  /// The figures without which its wall time is not predicted.
  std::set<std::string> missing() const { return at_.front().missing(); }
  bool has_steps() const { return why_not_.empty(); }
  bool has_wall_time() const { return has_steps() && missing().empty(); }
  double seconds_of_steps() const {
    return has_steps() ? at_.front().steps.sum().total() : std::numeric_limits<double>::infinity();
  }

  /// As the program would have recorded it on this machine.
  /// @param steps_alone the other phases take no time
  Run as_run(const MachineDescription& machine, bool steps_alone) const;

private:
  /// {least_seconds, most_seconds, assumed, causes, steps, steps_alone}
  Record prediction(bool steps_alone) const;
  /// {kind, gbs, fraction} of the bandwidth that bounds the steps.
  Record limit() const;

  const Work& work_;
  const model::Ends& rates_;
  model::Placement placement_;
  std::string why_not_;
  std::array<model::Prediction, 3> at_ = {};  ///< by End
};

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
