// The memory spaces that --memspace auto chooses from, and what the model says of them.
#pragma once

#include "app/common/communicator.hpp"
#include "app/model/choice.hpp"
#include "app/model/transpose_model.hpp"
#include "app/placement/place.hpp"
#include "app/transpose/setup.hpp"

#include <vector>

namespace memstencil::transpose {

using Candidate = model::Candidate<Setup>;

/// The one memory space that the options name, or with --memspace auto all. Collective, before Kokkos
/// starts. @throws CollectiveFailure where none of them can run
std::vector<Candidate> candidates_of(const Options& options, const Machine& machine,
                                     const Communicator& communicator);

/// This rank's part of a run of the last shape.
model::TransposeCase case_of(const Setup& setup, const Communicator& communicator);

/// The best of them by the model. Collective, after Kokkos has started.
model::Choice choose(const std::vector<Candidate>& candidates,
                     const std::optional<model::ProbedRates>& probed, const Communicator& communicator,
                     bool quiet);

}  // namespace memstencil::transpose
