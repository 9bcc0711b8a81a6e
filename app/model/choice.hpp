// Choosing among memory spaces in a program: where its rates come from, what they say, and what came of it.
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
#include <utility>
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

/// Sets up, completes the setup by what is itself collective, and asks whether there is the memory for it.
/// What fails on any rank is refused on all. Collective.
/// @throws CollectiveFailure for what is no matter of the machine: a wrong command line is wrong in every
///         memory space
template <class Setup>
Option<Setup> try_option(const std::string& name, const Communicator& communicator,
                         const std::function<Setup()>& set_up, const std::function<void(Setup&)>& complete,
                         const std::function<void(const Setup&)>& check) {
  Option<Setup> option{.name = name, .setup = {}, .refused = {}};
  try {
    Setup setup = agree(communicator, set_up);
    complete(setup);
    option.setup = std::move(setup);
    agree(communicator, [&] { check(*option.setup); });
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

/// The options, each that could be set up with its prediction: `prediction_of` its number.
template <class Setup>
std::vector<Candidate> candidates_of(const std::vector<Option<Setup>>& options,
                                     const std::function<Prediction(std::size_t)>& prediction_of) {
  std::vector<Candidate> out;
  for (std::size_t n = 0; n < options.size(); ++n) {
    out.push_back({.name = options[n].name, .refused = options[n].refused, .prediction = {}});
    if (options[n].setup) out.back().prediction = prediction_of(n);
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
Choice choose(const std::function<std::vector<Candidate>(const MachineRates&)>& candidates, Goal goal,
              const std::optional<ProbedRates>& probed, const std::string& program, bool quiet,
              const Communicator& communicator);

/// The advice with the prediction of what has run beside what was measured.
Advice advice_and_outcome(const Choice& choice, const Prediction& of_what_ran, const Measured& measured);

}  // namespace memstencil::model
