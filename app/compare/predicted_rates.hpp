// Rates of a side's machine, and the speed that the model predicts of its runs by them.
#pragma once

#include "app/base/runtime/failure.hpp"
#include "app/compare/model/machine_rates.hpp"
#include "app/compare/side.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// Of the side's membench runs on a GPU; what they leave open from its description, then from
/// assumptions. Nothing where there are no such runs.
std::optional<model::MachineRates> measured_rates(const Side& side);

/// The measured ones, otherwise those of the description.
std::optional<model::MachineRates> known_rates(const Side& side);

bool can_be_predicted(const himeno::Result& run, const model::MachineRates& rates);
/// One on several ranks where the rates of its messages were measured.
bool can_be_predicted(const transpose::Result& run, const model::MachineRates& rates);

struct PredictedRate {
  std::optional<double> rate = {};     ///< in the unit of the entry
  std::vector<std::string> from = {};  ///< the rates: "membench on ...", "messages by nccl ..."
  std::string missing = {};            ///< what is not predicted: "runs of a host"
};
/// @param entry the speed of the run, or of one of its variants
/// @throws Failure where the run names a memory space or a sweep that is none
PredictedRate predicted_rate(const himeno::Result& run, const Entry& entry, const Side& side,
                             const std::optional<model::MachineRates>& rates);
PredictedRate predicted_rate(const transpose::Result& run, const Entry& entry, const Side& side,
                             const std::optional<model::MachineRates>& rates);

/// The action's result; a refusal is thrown again with the run's name.
template <class Action>
auto naming(const Run& run, Action&& action) {
  try {
    return action();
  } catch (const Failure& failure) {
    throw Failure(failure.code(), fmt::format("cannot use {}: {}", run.file, failure.what()));
  }
}

}  // namespace memstencil::compare
