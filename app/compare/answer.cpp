// The whole answer as one JSON object, from which every renderer draws.
#include "app/compare/answer.hpp"

#include "app/compare/reasons.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace memstencil::compare {

Record answer_of(const std::vector<Side>& sides, std::size_t base,
                 const std::vector<Reference>& references) {
  const std::vector<Problem> problems = problems_of(sides, base);
  std::vector<std::string> names, left_out;
  for (const Side& side : sides) names.push_back(side.name);
  for (const Problem& problem : problems)
    left_out.insert(left_out.end(), problem.left_out.begin(), problem.left_out.end());
  const Predictor predictor(sides);
  const Record cases = case_rows(sides), scaling = scaling_rows(sides, predictor),
               model = model_rows(sides, predictor), figures = published_rows(references, sides);
  return {{"schema", "memstencil-comparison"},
          {"schema_version", 2},
          {"program", "memcompare"},
          {"title", fmt::format("memstencil: {}", fmt::join(names, " and "))},
          {"base", sides[base].name},
          {"sides", side_rows(sides)},
          {"sentences", sentences(sides, base, problems)},
          {"problem", problems.empty() ? Record() : Record(problems.front().label)},
          {"problem_title", problems.empty() ? Record() : Record(problems.front().title())},
          {"ranking", ranking_rows(sides, problems)},
          {"left_out", left_out},
          {"notes", notes_of(sides, cases)},
          {"facts", fact_rows(sides)},
          {"cases", cases},
          {"pairs", pair_rows(sides, base)},
          {"scaling", scaling},
          {"scaling_sentences", scaling_sentences(scaling)},
          {"model", model},
          {"model_sentences", model_sentences(model)},
          {"published", figures},
          {"published_sentences", published_sentences(figures)},
          {"probes", probe_rows_of(sides)},
          {"probe_pairs", probe_pairs(sides, base)},
          {"predictions", Record()}};
}

std::string slower_than_allowed(const std::vector<Side>& sides, std::size_t base, double allowed) {
  std::size_t last = sides.size() - 1, compared = 0, slower = 0;
  const Pair* worst = nullptr;
  const std::vector<Pair> pairs = pairs_of(sides, base);
  for (const Pair& pair : pairs) {
    if (pair.side != last) continue;
    ++compared;
    if (pair.ratio - 1 <= std::max(allowed, pair.noise)) continue;
    ++slower;
    if (worst == nullptr || pair.ratio > worst->ratio) worst = &pair;
  }
  if (compared == 0)
    throw Failure(ExitCode::Usage, fmt::format("--fail-above: {} has no case in common with {}",
                                               sides[last].name, sides[base].name));
  if (worst == nullptr) return "";
  return fmt::format(
      "{} is slower than {} by more than {:.3g} % in {} of {} cases; the worst, {}, "
      "takes {:.1f} % longer (spread {})",
      sides[last].name, sides[base].name, 100 * allowed, slower, compared, label(worst->here->what),
      100 * (worst->ratio - 1), percent(worst->noise));
}

}  // namespace memstencil::compare
