// The choice of a memory space in a program: candidates, rates, the choice, and its outcome.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/compare/model/advice.hpp"
#include "app/compare/model/rates_from_membench.hpp"
#include "app/compare/model/validation.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::model {

/// The rates in the file of --probes, on rank 0; nothing without a path. Collective.
/// @throws CollectiveFailure(Other) or (Usage) for a file that holds no rates
std::optional<ProbedRates> probed_rates(const std::string& path, const Communicator& communicator);

struct Choice {
  std::size_t chosen = 0;  ///< on every rank
  MachineRates rates;      ///< rank 0's, like the rest
  Advice advice;
};

/// By the probed rates, otherwise by those of a trial; assumed ones fill in. `candidates` runs on
/// rank 0. Unless `quiet`, rank 0 prints the advice on standard error, after the program's name.
/// Collective, after Kokkos has started.
Choice choose(const std::function<std::vector<RankedCandidate>(const MachineRates&)>& candidates,
              Goal goal, const std::optional<ProbedRates>& probed, const std::string& program,
              bool quiet, const Communicator& communicator);

/// The advice with the prediction of what has run beside what was measured.
Advice advice_and_outcome(const Choice& choice, const Prediction& of_what_ran,
                          const Measured& measured);

}  // namespace memstencil::model
