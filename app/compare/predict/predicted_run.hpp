// One predicted run: its time at the ends of all figures' ranges, and its record.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/predict/applications.hpp"
#include "app/compare/read/run.hpp"

#include <array>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace memstencil::compare {

/// The part of a run that all machines and memory spaces share.
struct Work {
  std::string unit;
  double amount = 0;  ///< of all steps, in 10^9 of the unit
  double moved = 0;   ///< bytes of all steps, read and written
  double bytes = 0;   ///< of all arrays
  std::variant<model::GridCase, model::TransposeCase> run;
  Record record = {};  ///< members of its record
};

class PredictedRun {
public:
  PredictedRun(const Work& work, MemorySpace space, const model::Ends& rates);

  MemorySpace space() const { return placement_.space; }
  const Work& work() const { return work_; }
  /// Why it cannot run there, or which figure of its steps is missing; empty otherwise.
  const std::string& why_not() const { return why_not_; }
  /// The figures without which its wall time is not predicted.
  std::set<std::string> missing() const { return at_.front().missing(); }
  bool has_steps() const { return why_not_.empty(); }
  bool has_wall_time() const { return has_steps() && missing().empty(); }
  double seconds_of_steps() const { return at_.front().steps.sum().total(); }

  /// As the program would have recorded it on this machine.
  /// @param steps_alone the other phases take no time
  Run as_run(const MachineDescription& machine, bool steps_alone) const;

private:
  model::Prediction predict(const model::MachineRates& rates) const;
  /// {least_seconds, most_seconds, assumed, causes, steps, steps_alone}
  Record prediction(bool steps_alone) const;
  /// {kind, gbs, fraction} of the bandwidth that bounds the steps.
  Record limit() const;

  const Work& work_;
  const model::Ends& rates_;
  model::Placement placement_;
  std::string why_not_ = {};
  std::array<model::Prediction, 3> at_ = {};  ///< by End
};

}  // namespace memstencil::compare
