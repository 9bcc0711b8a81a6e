// The choice of a memory space in a program: candidates, rates, the choice, and its outcome.
#include "app/compare/model/choice.hpp"

#include "app/base/machine/machine_facts.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/compare/model/trial_rates.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace memstencil::model {

std::optional<ProbedRates> probed_rates(const std::string& path, const Communicator& communicator) {
  if (path.empty()) return {};
  return collectively(communicator, [&]() -> std::optional<ProbedRates> {
    if (!communicator.root()) return {};
    return rates_from_file(path, machine_facts());
  });
}

namespace {

/// The figures that a run of a host takes and these rates do not have, where no GPU is.
std::vector<std::string> missing_on_host(const MachineRates& rates) {
  constexpr MemorySpace memory = MemorySpace::SystemAllocated;  // all spaces are one there
  std::vector<std::string> missing;
  if (gpu_count() > 0) return missing;
  if (!rates.rates.contains(Rate::HostCopy)) missing.emplace_back(name(Rate::HostCopy));
  for (const MemoryOperation operation :
       {MemoryOperation::Allocate, MemoryOperation::TouchByHost, MemoryOperation::Free})
    if (!rates.costs.contains({operation, memory}))
      missing.push_back(fmt::format("{} {}", name(operation), name(memory)));
  return missing;
}

std::optional<std::string> warning_of(const ProbedRates& probed) {
  const auto missing = missing_on_host(probed.rates);
  std::string text = probed.warning;
  if (!missing.empty())
    text += fmt::format("{}{} has no {}: those of an H100's host are assumed",
                        text.empty() ? "" : "; ", probed.rates.origin, fmt::join(missing, ", "));
  if (text.empty()) return {};
  return text;
}

}  // namespace

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
    if (probed) choice.advice.warning = warning_of(*probed);
    if (quiet) return;
    if (choice.advice.warning) fmt::print(stderr, "{}: {}\n", program, *choice.advice.warning);
    fmt::print(stderr, "{}: {}", program, advice_text(choice.advice));
  });
  auto chosen = static_cast<double>(choice.chosen);
  communicator.broadcast({&chosen, 1});
  choice.chosen = static_cast<std::size_t>(chosen);
  return choice;
}

Advice advice_and_outcome(const Choice& choice, const Prediction& of_what_ran,
                          const Measured& measured) {
  Advice out = choice.advice;
  out.against = validate(of_what_ran, measured);
  return out;
}

}  // namespace memstencil::model
