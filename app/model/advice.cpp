// Which memory space? The candidates with their predicted times, and the best of those that can run.
#include "app/model/advice.hpp"

#include "app/common/text_report.hpp"
#include "app/model/validation.hpp"

#include <fmt/format.h>

namespace memstencil::model {

namespace {

double time_for(const Prediction& prediction, Goal goal) {
  return goal == Goal::TotalTime ? prediction.total() : prediction.sweeps.back().total();
}

std::string row(const Record& space, const std::string& chosen) {
  const std::string name = space["memspace"].get<std::string>();
  const std::string reason = space["refused"].is_null() ? "" : space["refused"].get<std::string>();
  if (space["seconds"].is_null()) return fmt::format("  {:<38} not served: {}\n", name, reason);
  const std::string mark = name == chosen ? "  chosen" : reason.empty() ? "" : "  prediction only: " + reason;
  return fmt::format("  {:<38} {:>10} {:>12}{}\n", name, seconds_text(space["seconds"].get<double>()),
                     seconds_text(space["last_step"].get<double>()), mark);
}

}  // namespace

std::optional<std::size_t> best(const std::vector<RankedCandidate>& candidates, Goal goal) {
  std::optional<std::size_t> found;
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    const RankedCandidate& candidate = candidates[n];
    if (!candidate.refused.empty() || !candidate.prediction) continue;
    if (!found || time_for(*candidate.prediction, goal) < time_for(*candidates[*found].prediction, goal))
      found = n;
  }
  return found;
}

Record advice_record(const std::vector<RankedCandidate>& candidates, std::size_t chosen,
                     const MachineRates& rates) {
  Record spaces = Record::array();
  for (const RankedCandidate& candidate : candidates) {
    Record space{
        {"memspace", candidate.name}, {"seconds", nullptr}, {"last_step", nullptr}, {"refused", nullptr}};
    if (candidate.prediction) {
      space["seconds"] = candidate.prediction->total();
      space["last_step"] = candidate.prediction->sweeps.back().total();
    }
    if (!candidate.refused.empty()) space["refused"] = candidate.refused;
    spaces.push_back(space);
  }
  return {{"rates", rates_record(rates)}, {"spaces", spaces}, {"chosen", candidates[chosen].name}};
}

std::string advice_text(const Record& advice) {
  std::string out =
      fmt::format("predicted from {}\n  {:<38} {:>10} {:>12}\n", advice["rates"]["origin"].get<std::string>(),
                  "memory", "all phases", "last step");
  // One alone is no choice: the command line named it.
  const std::string chosen = advice["spaces"].size() > 1 ? advice["chosen"].get<std::string>() : "";
  for (const Record& space : advice["spaces"]) out += row(space, chosen);
  return out;
}

std::string prediction_text(const Record& prediction) {
  return advice_text(prediction) + "\n" + validation_text(prediction["against"]);
}

}  // namespace memstencil::model
