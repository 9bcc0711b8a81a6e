// Memories and sides ranked by wall time: one problem, brought to a common number of steps.
#include "app/compare/judge/judge.hpp"

#include "app/base/record/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace memstencil::compare {

namespace {

/// The groups of one problem, each with the number of its side.
using Groups = std::vector<std::pair<std::size_t, const Group*>>;

/// What makes a kind of step: the same task can be computed by another.
const std::set<std::string> keys_of_kind{"sweep", "layout", "variant", "tile",
                                         "pitch", "run",    "ranks"};
bool is_of_kind(const Members::value_type& member) { return keys_of_kind.contains(member.first); }

/// The number of steps that most groups of each task made; of equals the larger.
std::map<std::string, std::int64_t> common_steps(const std::vector<Side>& sides) {
  std::map<std::string, std::map<std::int64_t, int>> votes;
  for (const Side& side : sides)
    for (const Group& group : side.groups) ++votes[task_of(group, false)][group.middle().steps];
  std::map<std::string, std::int64_t> steps;
  for (const auto& [task, of] : votes)
    steps[task] = std::ranges::max_element(of, {}, [](const auto& each) {
                    return std::pair(each.second, each.first);
                  })->first;
  return steps;
}

/// The last pass of fused sweeps makes it a few more: that is no other number.
bool another_number(std::int64_t steps, std::int64_t common) {
  constexpr double few = 0.05;
  return std::abs(static_cast<double>(steps - common)) > few * static_cast<double>(common);
}

void rank(const Side& side, const Groups& groups, std::size_t number, Problem& problem) {
  // Of the runs in one memory the one that needs no extrapolation, or the surest.
  const auto fitness = [&](const Group* group) {
    const Sample& s = group->middle();
    return std::tuple(!another_number(s.steps, problem.steps), s.steady(),
                      -std::abs(s.steps - problem.steps));
  };
  std::map<std::string, const Group*> by_memory;
  for (const auto& [of, group] : groups) {
    if (of != number) continue;
    const Group*& known = by_memory[memory_label(group->what)];
    if (known == nullptr || fitness(group) > fitness(known)) known = group;
  }
  std::vector<Ranked>& ranked = problem.sides[number];
  for (const auto& [memory, group] : by_memory) {
    const Sample& middle = group->middle();
    const bool another = another_number(middle.steps, problem.steps);
    if (another && middle.steps < problem.steps && !middle.steady()) {
      problem.left_out.push_back(fmt::format("{}, {}, {} ({} {}s, whose pace is not steady)",
                                             side.name, kind_words(group->what), memory,
                                             middle.steps, middle.step));
      continue;
    }
    Ranked& each =
        ranked.emplace_back(Ranked{.group = group, .memory = memory, .steps = problem.steps});
    each.seconds = middle.at(problem.steps).total();
    each.step = middle.per_step();
    each.once = each.seconds - each.step * static_cast<double>(problem.steps);
    each.extrapolated = another;
  }
  std::ranges::stable_sort(ranked, {}, &Ranked::seconds);
  for (Ranked& each : ranked) each.to_best = each.seconds / ranked.front().seconds;
}

Problem problem_of(const std::vector<Side>& sides, const Groups& groups, std::int64_t steps) {
  const Group& first = *groups.front().second;
  Problem problem{.label = problem_label(first.what),
                  .task = task_of(first),
                  .work = task_of(first, false),
                  .ranks = first.middle().ranks,
                  .kind = kind_of(first),
                  .step = first.middle().step,
                  .bytes = first.middle().bytes,
                  .steps = steps,
                  .sides = std::vector<std::vector<Ranked>>(sides.size()),
                  .left_out = {}};
  for (std::size_t s = 0; s < sides.size(); ++s) rank(sides[s], groups, s, problem);
  for (std::size_t s = 1; s < sides.size(); ++s)
    for (Ranked& each : problem.sides[s])
      for (const Ranked& there : problem.sides.front())
        if (!each.to_base && in_one_memory(each.group->what, there.group->what))
          each.to_base = each.seconds / there.seconds;
  return problem;
}

/// The first problem has the greatest.
auto importance(const Problem& p) {
  std::size_t with_rows = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (const auto& side : p.sides) {
    with_rows += side.empty() ? 0 : 1;
    for (const Ranked& each : side) shortest = std::min(shortest, each.sample().median);
  }
  return std::tuple(with_rows, p.rows() > with_rows, p.step == "sweep", p.rows(), p.bytes,
                    -shortest);
}

}  // namespace

bool in_one_memory(const Case& a, const Case& b) {
  return a.memory == b.memory && agree(a.settings, b.settings);
}

std::string kind_of(const Group& group) {
  Members kind = group.what.problem;
  std::erase_if(kind, std::not_fn(is_of_kind));
  return joined(kind);
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

std::string task_of(const Group& group, bool with_ranks) {
  Case task = group.what;
  std::erase_if(task.problem, is_of_kind);
  if (with_ranks && group.middle().ranks > 1)
    task.problem.emplace_back("ranks", std::to_string(group.middle().ranks));
  return problem_label(task);
}

std::string Problem::title() const {
  return fmt::format("{}, {} {}s ({} of arrays)", task, steps, step, bytes_text(bytes));
}

std::size_t Problem::rows() const {
  return std::accumulate(sides.begin(), sides.end(), std::size_t{0},
                         [](std::size_t all, const auto& side) { return all + side.size(); });
}

const Ranked& Problem::first() const {
  return std::ranges::find_if_not(sides, &std::vector<Ranked>::empty)->front();
}

std::vector<Problem> problems_of(const std::vector<Side>& sides) {
  nlohmann::ordered_map<std::string, Groups> by_problem;
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (const Group& group : sides[s].groups)
      if (value_of(group.what.problem, "variant") != "copy")  // the yardstick
        by_problem[problem_label(group.what)].emplace_back(s, &group);
  const auto steps = common_steps(sides);
  std::vector<Problem> problems;
  for (const auto& [label, groups] : by_problem)
    problems.push_back(problem_of(sides, groups, steps.at(task_of(*groups.front().second, false))));
  std::map<std::string, std::vector<std::string>> left_out;
  for (const Problem& each : problems)
    for (const std::string& what : each.left_out) left_out[each.work].push_back(what);
  for (Problem& each : problems) each.left_out = left_out[each.work];
  std::erase_if(problems, [](const Problem& problem) { return problem.rows() == 0; });
  std::ranges::stable_sort(problems, std::greater<>(), importance);
  return problems;
}

const Ranked* best_of(const std::vector<Problem>& problems, const std::string& work,
                      std::size_t side, std::optional<int> ranks) {
  const Ranked* best = nullptr;
  for (const Problem& problem : problems) {
    if (problem.work != work || problem.sides[side].empty()) continue;
    if (ranks && problem.ranks != *ranks) continue;
    const Ranked& row = problem.sides[side].front();
    if (best == nullptr || row.seconds < best->seconds) best = &row;
  }
  return best;
}

std::optional<Like> like_with_like(const std::vector<Problem>& problems, std::size_t side,
                                   const Problem* only) {
  for (const Problem& problem : problems) {
    if (only != nullptr && only != &problem) continue;
    for (const Ranked& there : problem.sides.front())
      for (const Ranked& here : problem.sides[side])
        if (in_one_memory(here.group->what, there.group->what)) return Like{&here, &there};
  }
  return {};
}

Ratio times_as_fast(const Ranked& fast, const Ranked& slow) {
  const double value = slow.seconds / fast.seconds;
  const Sample &here = slow.sample(), &there = fast.sample();
  if (here.predicted && there.predicted) {
    const auto [shortest, longest] = here.predicted->seconds;
    const auto [least, most] = there.predicted->seconds;
    const bool one_machine =
        here.run->side == there.run->side && here.run->folder == there.run->folder;
    const auto [low, high] = one_machine ? std::minmax({shortest / least, value, longest / most})
                                         : std::pair(shortest / most, longest / least);
    return {.value = value, .low = low, .high = high, .predicted = true};
  }
  return ratio_of(times_of(*slow.group, fast.steps), times_of(*fast.group, fast.steps), value);
}

std::optional<double> half_width(const Ranked& row) {
  if (const auto& predicted = row.sample().predicted)
    return (predicted->seconds[1] - predicted->seconds[0]) / 2 / row.seconds;
  return half_width(times_of(*row.group, row.steps));
}

}  // namespace memstencil::compare
