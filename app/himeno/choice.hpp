// The placements that --memspace auto chooses from, and what the model says of them.
#pragma once

#include "app/common/communicator.hpp"
#include "app/himeno/setup.hpp"
#include "app/model/choice.hpp"

#include <vector>

namespace memstencil::himeno {

using Option = model::Option<Setup>;

/// The one placement that the options name; with --memspace auto one for each memory space, and where the
/// grid does not fit device memory those that put only p or only the coefficients there. Collective, before
/// Kokkos starts. @throws CollectiveFailure where none of them can run
std::vector<Option> options_of(const Options& options, const Communicator& communicator, int ranks_of_gpu);

/// The best of them by the model. Collective, after Kokkos has started.
model::Choice choose(const Options& asked, const std::vector<Option>& options,
                     const std::optional<model::ProbedRates>& probed, const Communicator& communicator,
                     bool quiet);

}  // namespace memstencil::himeno
