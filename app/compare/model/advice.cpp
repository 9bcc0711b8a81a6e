// The choice of a memory space: candidates with their predicted times, and the
// best of those that can run.
#include "app/compare/model/advice.hpp"

#include "app/base/record/text_report.hpp"

#include <fmt/format.h>

namespace memstencil::model {

namespace {

double time_for(const Prediction& prediction, Goal goal) {
  return goal == Goal::TotalTime ? prediction.total() : prediction.sweeps.back().total();
}

std::string row(const Advice::Space& space, const std::string& chosen) {
  const std::string reason = space.refused.value_or("");
  if (!space.seconds || !space.last_step)
    return fmt::format("  {:<38} not served: {}\n", space.memspace, reason);
  const std::string mark = space.memspace == chosen ? "  chosen"
                           : reason.empty()         ? ""
                                                    : "  prediction only: " + reason;
  return fmt::format("  {:<38} {:>10} {:>12}{}\n", space.memspace, seconds_text(*space.seconds),
                     seconds_text(*space.last_step), mark);
}

}  // namespace

std::optional<std::size_t> best(const std::vector<RankedCandidate>& candidates, Goal goal) {
  std::optional<std::size_t> found;
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    const RankedCandidate& candidate = candidates[n];
    if (!candidate.refused.empty() || !candidate.prediction) continue;
    if (!found ||
        time_for(*candidate.prediction, goal) < time_for(*candidates[*found].prediction, goal))
      found = n;
  }
  return found;
}

void describe(Archive& a, Advice::Space& space) {
  a("memspace", space.memspace);
  a("seconds", space.seconds);
  a("last_step", space.last_step);
  a("refused", space.refused);
}

void describe(Archive& a, Advice& advice) {
  a("rates", advice.rates);
  a("spaces", advice.spaces);
  a("chosen", advice.chosen);
  a.optional("warning", advice.warning);
  a.optional("against", advice.against);
}

Advice advice_on(const std::vector<RankedCandidate>& candidates, std::size_t chosen,
                 const MachineRates& rates) {
  Advice advice{.rates = rates_record(rates),
                .spaces = {},
                .chosen = candidates[chosen].name,
                .warning = {},
                .against = {}};
  for (const RankedCandidate& candidate : candidates) {
    Advice::Space& space = advice.spaces.emplace_back();
    space.memspace = candidate.name;
    if (candidate.prediction) {
      space.seconds = candidate.prediction->total();
      space.last_step = candidate.prediction->sweeps.back().total();
    }
    if (!candidate.refused.empty()) space.refused = candidate.refused;
  }
  return advice;
}

std::string advice_text(const Advice& advice) {
  std::string out = fmt::format("predicted from {}\n  {:<38} {:>10} {:>12}\n", advice.rates.origin,
                                "memory", "all phases", "last step");
  // One alone is no choice: the command line named it.
  const std::string chosen = advice.spaces.size() > 1 ? advice.chosen : "";
  for (const Advice::Space& space : advice.spaces) out += row(space, chosen);
  return out;
}

std::string prediction_text(const Advice& advice) {
  return advice_text(advice) + (advice.against ? "\n" + validation_text(*advice.against) : "");
}

}  // namespace memstencil::model
