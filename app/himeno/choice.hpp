// --memspace auto and --probes: where this run's arrays should be, by the model, and how right it was.
#pragma once

#include "app/common/communicator.hpp"
#include "app/common/record.hpp"
#include "app/himeno/setup.hpp"
#include "app/model/advice.hpp"
#include "app/model/rates_from_membench.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// A placement of the arrays, set up, or why that cannot be.
struct Option {
  std::string name;  ///< as --memspace or --place name it
  Setup setup;       ///< of no meaning where nothing could be set up
  bool set_up = false;
  std::string refused;  ///< why it cannot run; may be set up nevertheless, where memory alone is lacking
};

/// The one placement that the options name; with --memspace auto one for each memory space, and where the
/// grid does not fit device memory those that put only p or only the coefficients there. Collective, before
/// Kokkos starts. @throws CollectiveFailure where none of them can run
std::vector<Option> options_of(const Options& options, const Communicator& communicator, int ranks_of_gpu);

/// What the model says of them. Empty where neither auto nor --probes asks.
struct Choice {
  std::size_t chosen = 0;  ///< on every rank
  model::MachineRates rates;
  Record advice;        ///< rank 0's; model::advice_record()
  std::string warning;  ///< that the rates are of another machine
};

/// What the file of --probes says, on rank 0; nothing without --probes. Collective.
/// @throws CollectiveFailure(Other) or (Usage) for a file that holds no rates
std::optional<model::ProbedRates> probed_rates(const Options& asked, const Communicator& communicator);

/// By the rates of --probes, otherwise by those of a trial; assumed ones fill in. Collective, after Kokkos
/// has started.
Choice choose(const Options& asked, const std::vector<Option>& options,
              const std::optional<model::ProbedRates>& probed, const Communicator& communicator);

/// The record's member `prediction`: the advice, and under `against` the prediction of what has run beside
/// what was measured.
Record prediction_member(const Choice& choice, const Record& record);

}  // namespace memstencil::himeno
