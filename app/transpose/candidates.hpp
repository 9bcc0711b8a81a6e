// The plans that --memspace auto chooses from, and the model's choice.
#pragma once

#include "app/common/communicator.hpp"
#include "app/model/choice.hpp"
#include "app/model/transpose_model.hpp"
#include "app/transpose/plan.hpp"

#include <optional>
#include <vector>

namespace memstencil::transpose {

using Candidate = model::Candidate<Plan>;

/// The one plan that the options name, or with --memspace auto one for each memory space. Collective, before
/// Kokkos starts. @throws CollectiveFailure where none of them can run
std::vector<Candidate> candidates_of(const Options& options, const Machine& machine,
                                     const Communicator& communicator);

/// This rank's part of a run of the last shape.
model::TransposeCase case_of(const Plan& plan);

/// The best of them by the model. Collective, after Kokkos has started.
model::Choice choose(const std::vector<Candidate>& candidates,
                     const std::optional<model::ProbedRates>& probed, const Communicator& communicator,
                     bool quiet);

}  // namespace memstencil::transpose
