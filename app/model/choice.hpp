// The choice of a memory space in a program: candidates, rates, the choice, and its outcome.
#pragma once

#include "app/common/agree.hpp"
#include "app/common/communicator.hpp"
#include "app/model/advice.hpp"
#include "app/model/rates_from_membench.hpp"
#include "app/model/validation.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace memstencil::model {

/// A plan that a program could follow, or why it cannot.
template <class Plan>
struct Candidate {
  std::string name;          ///< as --memspace or --place name it
  std::optional<Plan> plan;  ///< nothing where none could be made
  std::string refused;       ///< why it cannot run; with a plan where memory alone is lacking

  bool can_run() const { return refused.empty(); }
};

/// Makes a plan, and asks whether there is the memory for it. Both steps are collective, as this is.
/// @throws CollectiveFailure for any failure other than Machine: no other memory space would mend it
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
  if (std::none_of(candidates.begin(), candidates.end(), [](const auto& each) { return each.can_run(); }))
    throw CollectiveFailure(ExitCode::Machine, option + candidates.front().refused);
}

/// The candidates, each that has a plan with its prediction: `prediction_of` its number.
template <class Plan>
std::vector<RankedCandidate> ranked(const std::vector<Candidate<Plan>>& candidates,
                                    const std::function<Prediction(std::size_t)>& prediction_of) {
  std::vector<RankedCandidate> out;
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    out.push_back({.name = candidates[n].name, .refused = candidates[n].refused, .prediction = {}});
    if (candidates[n].plan) out.back().prediction = prediction_of(n);
  }
  return out;
}

/// What the file of --probes says, on rank 0; nothing without a path. Collective.
/// @throws CollectiveFailure(Other) or (Usage) for a file that holds no rates
std::optional<ProbedRates> probed_rates(const std::string& path, const Communicator& communicator);

struct Choice {
  std::size_t chosen = 0;  ///< on every rank
  MachineRates rates;      ///< rank 0's, like the rest
  Advice advice;
};

/// By the probed rates, otherwise by those of a trial; assumed ones fill in. `candidates` runs on rank 0.
/// Unless `quiet`, rank 0 prints the advice on standard error, after the program's name. Collective, after
/// Kokkos has started.
Choice choose(const std::function<std::vector<RankedCandidate>(const MachineRates&)>& candidates, Goal goal,
              const std::optional<ProbedRates>& probed, const std::string& program, bool quiet,
              const Communicator& communicator);

/// The advice with the prediction of what has run beside what was measured.
Advice advice_and_outcome(const Choice& choice, const Prediction& of_what_ran, const Measured& measured);

}  // namespace memstencil::model
