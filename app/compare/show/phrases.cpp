// Placements and kinds of step in words for people who do not know the program.
#include "app/compare/show/phrases.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/read/number_text.hpp"

#include <fmt/format.h>

namespace memstencil::compare {

std::string placement_words(const Case& of) {
  std::string words;
  Members others = of.settings;
  for (const auto& [key, value] : of.memory)
    if (key == "memspace")
      words = value.ends_with("memory") ? value : value + " memory";
    else if (key == "first_touch")
      words += " filled by the " + value;
    else if (key == "prefetch")
      words += " with a prefetch";
    else
      others.emplace_back(key, value);
  return words + (others.empty() ? "" : ", " + joined(others));
}

std::string kind_words(const Case& of) {
  const std::string sweep = value_of(of.problem, "sweep");
  if (sweep.empty()) {
    Members kind = without(of.problem, {"size", "type", "coefficients", "ranks"});
    return joined(kind);
  }
  std::string words = sweep + " sweeps";
  if (sweep.starts_with("temporal:")) words = sweep.substr(sweep.find(':') + 1) + " fused sweeps";
  const std::string layout = value_of(of.problem, "layout");
  return words + (layout.empty() ? "" : ", " + layout);
}

std::string short_work(const std::string& work) {
  const std::size_t open = work.find(" (");
  if (open == work.npos) return work;
  const std::size_t close = work.find(')', open);
  return work.substr(0, open) + work.substr(close + 1);
}

std::string ranks_words(const Best& best) {
  const Sample& sample = best.row->sample();
  return counted(sample.ranks,
                 sample.by_gpu() && sample.processors == sample.ranks ? "GPU" : "rank");
}

std::string steps_words(const Problem& problem) {
  return fmt::format("{} {}s", problem.steps, problem.step);
}

std::string seconds_words(const Ranked& row) {
  return (row.extrapolated ? "~" : "") + short_seconds(row.seconds);
}

}  // namespace memstencil::compare
