// Choosing among memory spaces in a program: where its rates come from, what they say, and what came of it.
#pragma once

#include "app/common/agree.hpp"
#include "app/common/communicator.hpp"
#include "app/common/record.hpp"
#include "app/model/advice.hpp"
#include "app/model/rates_from_membench.hpp"
#include "app/model/validation.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::model {

/// A placement of a program's arrays, set up, or why that cannot be.
template <class Setup>
struct Option {
  std::string name;            ///< as --memspace or --place name it
  std::optional<Setup> setup;  ///< nothing where not even that could be done
  std::string refused;         ///< why it cannot run; with a setup where memory alone is lacking

  bool can_run() const { return refused.empty(); }
};

/// Makes a setup and checks it, both collective. What fails on any rank is refused on all.
/// @throws CollectiveFailure for what is no matter of the machine: a wrong command line is wrong in every
///         memory space
template <class Setup>
Option<Setup> try_option(const std::string& name, const std::function<Setup()>& make,
                         const std::function<void(const Setup&)>& check) {
  Option<Setup> option{.name = name, .setup = {}, .refused = {}};
  try {
    option.setup = make();
    check(*option.setup);
  } catch (const CollectiveFailure& failure) {
    if (failure.code() != ExitCode::Machine) throw;
    option.refused = failure.what();
  }
  return option;
}

/// @throws CollectiveFailure(Machine) where none can run: the reason of the first, after `option`
template <class Setup>
void require_one(const std::string& option, const std::vector<Option<Setup>>& options) {
  if (std::none_of(options.begin(), options.end(), [](const auto& each) { return each.can_run(); }))
    throw CollectiveFailure(ExitCode::Machine, option + options.front().refused);
}

/// What the file of --probes says, on rank 0; nothing without a path. Collective.
/// @throws CollectiveFailure(Other) or (Usage) for a file that holds no rates
std::optional<ProbedRates> probed_rates(const std::string& path, const Communicator& communicator);

struct Choice {
  std::size_t chosen = 0;  ///< on every rank
  MachineRates rates;      ///< rank 0's, like the rest
  Record advice;           ///< advice_record()
  std::string warning;     ///< that the rates are of another machine
};

/// By the probed rates, otherwise by those of a trial; assumed ones fill in. `candidates` runs on rank 0.
/// Unless `quiet`, rank 0 prints the advice on standard error, after the program's name. Collective, after
/// Kokkos has started.
Choice choose(const std::function<std::vector<Candidate>(const MachineRates&)>& candidates, Goal goal,
              const std::optional<ProbedRates>& probed, const std::string& program, bool quiet,
              const Communicator& communicator);

/// The record's member `prediction`: the advice, and under `against` the prediction of what has run beside
/// what was measured.
Record prediction_member(const Choice& choice, const Prediction& of_what_ran, const Measured& measured);

}  // namespace memstencil::model
