// The plans that --memspace auto chooses from, and the model's choice.
#pragma once

#include "app/common/communicator.hpp"
#include "app/himeno/plan.hpp"
#include "app/model/choice.hpp"

#include <optional>
#include <vector>

namespace memstencil::himeno {

using Candidate = model::Candidate<Plan>;

/// The one plan that the options name; with --memspace auto one for each memory space, and where the
/// grid does not fit device memory those that put only p or only the coefficients there. Collective, before
/// Kokkos starts. @throws CollectiveFailure where none of them can run
std::vector<Candidate> candidates_of(const Options& options, const Machine& machine,
                                     const Communicator& communicator);

/// The best of them by the model. Collective, after Kokkos has started.
model::Choice choose(const std::vector<Candidate>& candidates,
                     const std::optional<model::ProbedRates>& probed, const Communicator& communicator,
                     bool quiet);

}  // namespace memstencil::himeno
