// The choice of a memory space in a program: candidates, rates, the choice, and its outcome.
#include "app/model/choice.hpp"

#include "app/common/machine/machine_facts.hpp"
#include "app/common/ranks/collectively.hpp"
#include "app/model/trial_rates.hpp"

#include <fmt/format.h>

namespace memstencil::model {

std::optional<ProbedRates> probed_rates(const std::string& path, const Communicator& communicator) {
  if (path.empty()) return {};
  return collectively(communicator, [&]() -> std::optional<ProbedRates> {
    if (!communicator.root()) return {};
    return rates_from_file(path, machine_facts());
  });
}

Choice choose(const std::function<std::vector<RankedCandidate>(const MachineRates&)>& candidates,
              Goal goal, const std::optional<ProbedRates>& probed, const std::string& program,
              bool quiet, const Communicator& communicator) {
  Choice choice;
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    choice.rates = overlay(assumed_rates(), probed ? probed->rates : trial_rates());
    const std::vector<RankedCandidate> all = candidates(choice.rates);
    choice.chosen = *best(all, goal);
    choice.advice = advice_on(all, choice.chosen, choice.rates);
    if (probed && !probed->warning.empty()) choice.advice.warning = probed->warning;
    if (quiet) return;
    if (choice.advice.warning) fmt::print(stderr, "{}: {}\n", program, *choice.advice.warning);
    fmt::print(stderr, "{}: {}", program, advice_text(choice.advice));
  });
  std::string chosen = std::to_string(choice.chosen);
  communicator.broadcast(chosen);
  choice.chosen = std::stoul(chosen);
  return choice;
}

Advice advice_and_outcome(const Choice& choice, const Prediction& of_what_ran,
                          const Measured& measured) {
  Advice out = choice.advice;
  out.against = validate(of_what_ran, measured);
  return out;
}

}  // namespace memstencil::model
