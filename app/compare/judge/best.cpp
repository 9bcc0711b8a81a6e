// Each side at its best, and like with like.
#include "app/compare/judge/best.hpp"

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
  const std::int64_t steps = fast.problem->steps;
  return ratio_of(times_of(*slow.row->group, steps), times_of(*fast.row->group, steps),
                  slow.row->seconds / fast.row->seconds);
}

}  // namespace memstencil::compare
