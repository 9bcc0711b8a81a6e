// The choice of a plan: of the memory spaces with --memspace auto, and alike on all ranks.
#pragma once

#include "app/base/ranks/collectively.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/bench/placement.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace memstencil {

/// Why this machine cannot run what `step` prepares; empty where it can. Collective, as the step.
/// @throws CollectiveFailure for any failure other than Machine: another choice would not mend it
template <class Step>
std::string why_not(Step&& step) {
  try {
    step();
    return {};
  } catch (const CollectiveFailure& failure) {
    if (failure.code() != ExitCode::Machine) throw;
    return failure.what();
  }
}

/// The plan that `plan_for(options)` makes for the memory that the options name, or with
/// --memspace auto for the first of automatic_spaces in which the run fits: then
/// PlacementOptions::why_memspace says why. Collective, as plan_for.
/// @throws CollectiveFailure as plan_for; (Machine) with all reasons where no space of auto serves
template <class Options, class PlanFor>
auto choose(Options options, const Communicator& communicator, PlanFor&& plan_for) {
  if (!options.memspace_auto) return plan_for(options);
  std::optional<std::invoke_result_t<PlanFor&, const Options&>> plan;
  std::string refused;
  for (const MemorySpace space : automatic_spaces) {
    options.memspace = space;
    options.why_memspace = automatic_rule + refused;
    std::string why = why_not([&] {
      collectively(communicator, [&] { refuse_automatic(options); });
      plan.emplace(plan_for(options));
    });
    if (why.empty()) return *plan;
    refused += "; not " + std::string(name(space)) + ": " + why;
  }
  throw CollectiveFailure(ExitCode::Machine, "--memspace auto: " + (automatic_rule + refused));
}

/// What one rank refuses is refused on all, so that all choose the same. `Offered` has a text
/// `refused`, empty where it can run. Collective.
template <class Offered>
void refuse_on_all(std::vector<Offered>& offered, const Communicator& communicator) {
  std::vector<double> refused;
  for (const Offered& each : offered) refused.push_back(each.refused.empty() ? 0.0 : 1.0);
  // Not as a vector: nvcc 13 does not see that it is a range here.
  communicator.maximum({refused.data(), refused.size()});
  for (std::size_t n = 0; n < offered.size(); ++n)
    if (refused[n] > 0.0 && offered[n].refused.empty())
      offered[n].refused = "another rank cannot run it";
}

}  // namespace memstencil
