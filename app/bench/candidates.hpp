// Plans that a program could follow, and why it cannot.
#pragma once

#include "app/base/ranks/collectively.hpp"
#include "app/base/ranks/communicator.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace memstencil {

template <class Plan>
struct Candidate {
  std::string name;          ///< as the command line names its memory, or its kind of sweep
  std::optional<Plan> plan;  ///< nothing where none could be made
  std::string refused;       ///< why it cannot run; with a plan where memory alone is lacking

  bool can_run() const { return refused.empty(); }
};

/// Makes a plan, and asks whether there is the memory for it. Both steps
/// are collective, as this is.
/// @throws CollectiveFailure for any failure other than Machine: no other candidate would mend it
template <class Make, class RequireMemory>
auto try_candidate(const std::string& name, Make&& make, RequireMemory&& require_memory) {
  Candidate<std::invoke_result_t<Make&>> candidate{.name = name, .plan = {}, .refused = {}};
  try {
    candidate.plan = make();
    require_memory(*candidate.plan);
  } catch (const CollectiveFailure& failure) {
    if (failure.code() != ExitCode::Machine) throw;
    candidate.refused = failure.what();
  }
  return candidate;
}

/// @throws CollectiveFailure(Machine) where none can run: the reason of the first, after `option`
template <class Plan>
void require_one(const std::string& option, const std::vector<Candidate<Plan>>& candidates) {
  if (std::none_of(candidates.begin(), candidates.end(),
                   [](const auto& each) { return each.can_run(); }))
    throw CollectiveFailure(ExitCode::Machine, option + candidates.front().refused);
}

/// A candidate that one rank refuses is refused on all, so that all choose the same. `Offered` has
/// a text `refused`, empty where it can run. Collective.
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
