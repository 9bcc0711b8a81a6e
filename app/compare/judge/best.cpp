// Each side at its best, and like with like.
#include "app/compare/judge/best.hpp"

#include <algorithm>
#include <utility>

namespace memstencil::compare {

Best best_of(const std::vector<Problem>& problems, const std::string& work, std::size_t side,
             std::optional<int> ranks) {
  Best best;
  for (const Problem& problem : problems) {
    if (problem.work != work || problem.sides[side].empty()) continue;
    if (ranks && problem.ranks != *ranks) continue;
    const Ranked& row = problem.sides[side].front();
    if (!best || row.seconds < best.row->seconds) best = {&row, &problem};
  }
  return best;
}

std::optional<Like> like_with_like(const std::vector<Problem>& problems, std::size_t side,
                                   const std::string& work) {
  for (const Problem& problem : problems) {
    if (!work.empty() && (problem.work != work || problem.ranks > 1)) continue;
    for (const Ranked& there : problem.sides.front())
      for (const Ranked& here : problem.sides[side])
        if (in_one_memory(here.group->what, there.group->what))
          return Like{{&here, &problem}, {&there, &problem}};
  }
  return {};
}

Ratio times_as_fast(const Best& fast, const Best& slow) {
  const double value = slow.row->seconds / fast.row->seconds;
  const Sample &here = slow.row->sample(), &there = fast.row->sample();
  if (here.predicted && there.predicted) {
    const auto [shortest, longest] = here.predicted->seconds;
    const auto [least, most] = there.predicted->seconds;
    const bool one_machine =
        here.run->side == there.run->side && here.run->folder == there.run->folder;
    const auto [low, high] = one_machine ? std::minmax({shortest / least, value, longest / most})
                                         : std::pair(shortest / most, longest / least);
    return {.value = value, .low = low, .high = high, .predicted = true};
  }
  const std::int64_t steps = fast.problem->steps;
  return ratio_of(times_of(*slow.row->group, steps), times_of(*fast.row->group, steps), value);
}

std::optional<double> half_width(const Best& best) {
  if (const auto& predicted = best.row->sample().predicted)
    return (predicted->seconds[1] - predicted->seconds[0]) / 2 / best.row->seconds;
  return half_width(times_of(*best.row->group, best.problem->steps));
}

}  // namespace memstencil::compare
