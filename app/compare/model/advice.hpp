// The choice of a memory space: candidates with their predicted times, and the
// best of those that can run.
#pragma once

#include "app/base/record/archive.hpp"
#include "app/compare/model/machine_rates.hpp"
#include "app/compare/model/prediction.hpp"
#include "app/compare/model/validation.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::model {

struct RankedCandidate {
  std::string name;                      ///< "managed", "p=device,coefficients=host-pinned"
  std::string refused;                   ///< why this machine cannot run it; empty: it can
  std::optional<Prediction> prediction;  ///< also of what is refused for its size alone
};

/// The order in which equals are chosen.
inline constexpr std::array spaces_by_preference{MemorySpace::Device, MemorySpace::Managed,
                                                 MemorySpace::SystemAllocated,
                                                 MemorySpace::HostPinned};
static_assert(spaces_by_preference.size() == all_memory_spaces.size());

/// Spaces of p and of the coefficients where both do not fit in device memory together. In the
/// order in which equals are chosen.
inline constexpr std::array spaces_apart_by_preference{
    std::pair(MemorySpace::Device, MemorySpace::HostPinned),
    std::pair(MemorySpace::HostPinned, MemorySpace::Device)};

/// The predicted time that decides.
enum class Goal {
  TotalTime,   ///< of all phases
  SteadyStep,  ///< the last sweep: where a run is asked to last so many seconds
};

/// The one with the least time of those that can run; the first of equals. Nothing where none can.
std::optional<std::size_t> best(const std::vector<RankedCandidate>& candidates, Goal goal);

/// `prediction` of a result: what each memory space was predicted to take, and what came of it.
struct Advice {
  struct Space {
    std::string memspace;
    std::optional<double> seconds, last_step;  ///< of all phases, of the last sweep or iteration
    std::optional<std::string> refused;        ///< why it cannot run
  };
  RatesRecord rates;
  std::vector<Space> spaces;
  std::string chosen;
  std::optional<std::string> warning;  ///< that the rates are another machine's, all or some
  std::optional<Validation> against;   ///< what ran, predicted and measured
};
void describe(Archive& a, Advice& advice);

Advice advice_on(const std::vector<RankedCandidate>& candidates, std::size_t chosen,
                 const MachineRates& rates);

/// The memory spaces as a table.
std::string advice_text(const Advice& advice);

/// The report's part: that table, and prediction against measurement.
std::string prediction_text(const Advice& advice);

}  // namespace memstencil::model
