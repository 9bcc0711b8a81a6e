// Memories and sides ranked by wall time: one problem, brought to a common number of steps.
#include "app/compare/ranking.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace memstencil::compare {

namespace {

/// The groups of one problem, each with the number of its side.
using Groups = std::vector<std::pair<std::size_t, const Group*>>;

/// The number of steps that most groups made; of equals the larger.
std::int64_t common_steps(const Groups& groups) {
  std::map<std::int64_t, int> votes;
  for (const auto& [side, group] : groups) ++votes[group->middle().steps];
  return std::max_element(votes.begin(), votes.end(),
                          [](const auto& a, const auto& b) {
                            return std::pair(a.second, a.first) < std::pair(b.second, b.first);
                          })
      ->first;
}

/// Of two groups in one memory the better one for a ranking with so many steps.
bool better(const Sample& a, const Sample& b, std::int64_t steps) {
  return std::tuple(a.steps == steps, a.steady(), a.steps) >
         std::tuple(b.steps == steps, b.steady(), b.steps);
}

std::string reason_of(const Ranked& each, const Ranked& best, std::int64_t steps, double noise) {
  const Sample& s = each.sample();
  const std::string pages = pages_text(s);
  std::string why =
      &each == &best ? why_fast(s, steps) : why_slower(s, best.sample(), steps, noise);
  if (&each != &best && each.equal) why = "as fast, inside the spread: " + why;
  if (!pages.empty()) why = pages + "; " + why;
  if (s.steps == steps) return why;
  return why + fmt::format("; extrapolated{} from {} {}s", s.steps < steps ? "" : " back", s.steps,
                           s.step);
}

void rank(const Side& side, const Groups& groups, std::size_t number, Problem& problem) {
  std::map<std::string, const Group*> by_memory;
  for (const auto& [of, group] : groups) {
    if (of != number) continue;
    const Group*& known = by_memory[memory_label(group->what)];
    if (known == nullptr || better(group->middle(), known->middle(), problem.steps)) known = group;
  }
  std::vector<Ranked>& ranked = problem.sides[number];
  for (const auto& [memory, group] : by_memory) {
    const Sample& middle = group->middle();
    if (middle.steps != problem.steps && !middle.steady())
      problem.left_out.push_back(fmt::format("{}, {} ({} {}s, whose pace is not steady)", side.name,
                                             memory, middle.steps, middle.step));
    else
      ranked.push_back(
          {.group = group, .memory = memory, .seconds = middle.at(problem.steps).total()});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.seconds < b.seconds; });
  for (Ranked& each : ranked) {
    each.to_best = each.seconds / ranked.front().seconds;
    each.spread = spread(side, *each.group, side, *ranked.front().group);
    each.equal = each.to_best <= 1 + noise(each.spread);
    each.reason = reason_of(each, ranked.front(), problem.steps, noise(each.spread));
  }
}

bool in_one_memory(const Case& a, const Case& b) {
  return a.memory == b.memory && agree(a.settings, b.settings);
}

bool one_case(const Case& a, const Case& b) {
  return a.steps == b.steps && a.program == b.program && a.problem == b.problem &&
         in_one_memory(a, b);
}

Problem problem_of(const std::vector<Side>& sides, std::size_t base, const Groups& groups) {
  const Group& first = *groups.front().second;
  Problem problem{.label = problem_label(first.what),
                  .step = first.middle().step,
                  .bytes = first.middle().bytes,
                  .steps = common_steps(groups),
                  .sides = std::vector<std::vector<Ranked>>(sides.size()),
                  .left_out = {}};
  for (std::size_t s = 0; s < sides.size(); ++s) rank(sides[s], groups, s, problem);
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (Ranked& each : problem.sides[s])
      for (const Ranked& there : problem.sides[base])
        if (s != base && !each.to_base && in_one_memory(each.group->what, there.group->what))
          each.to_base = each.seconds / there.seconds;
  return problem;
}

double shortest_step(const Problem& problem) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& side : problem.sides)
    for (const Ranked& each : side) least = std::min(least, each.sample().median);
  return least;
}

bool first_problem(const Problem& a, const Problem& b) {
  const auto order = [](const Problem& p) {
    std::size_t with_rows = 0;
    for (const auto& side : p.sides) with_rows += side.empty() ? 0 : 1;
    return std::tuple(with_rows, p.rows() > with_rows, p.step == "sweep", p.rows(), p.bytes,
                      -shortest_step(p));
  };
  return order(a) > order(b);
}

std::string spread_note(const std::optional<Spread>& seen) {
  if (!seen) return "5 %, assumed";
  return percent(noise(seen)) + (seen->runs > 2 ? "" : ", spread of two");
}

/// "h100: managed, prefetch is the fastest memory, 0.707 s, 2.39 times as fast as managed; ..."
std::string fastest_memory(const Side& side, const std::vector<Ranked>& ranked) {
  const Ranked& best = ranked.front();
  std::string text = side.name + ": ";
  if (ranked.size() == 1)
    text += fmt::format("{} in {}", short_seconds(best.seconds), best.memory);
  else {
    const auto slower =
        std::find_if(ranked.begin(), ranked.end(), [](const Ranked& each) { return !each.equal; });
    text += fmt::format("{} is the fastest memory, {}", best.memory, short_seconds(best.seconds));
    for (auto each = ranked.begin() + 1; each != slower; ++each)
      text += fmt::format("{}{} (within {})", each == ranked.begin() + 1 ? "; as fast: " : ", ",
                          each->memory, spread_note(each->spread));
    if (slower != ranked.end())
      text += fmt::format("; {} times as fast as {}", times_text(slower->to_best), slower->memory);
  }
  text += ". " + best.reason + ".";
  char& first = text[text.size() - best.reason.size() - 1];
  first = static_cast<char>(std::toupper(static_cast<unsigned char>(first)));
  return text;
}

/// "h200 is 1.44 times as fast as h100, ..., mostly by memory: sweeps 0.353 against 0.517 s".
std::string best_against_best(const Side& fast_side, const Ranked& fast, const Side& slow_side,
                              const Ranked& slow, const Problem& problem) {
  if (fast.seconds > slow.seconds)
    return best_against_best(slow_side, slow, fast_side, fast, problem);
  const double times = slow.seconds / fast.seconds;
  const double within = noise(spread(fast_side, *fast.group, slow_side, *slow.group));
  const std::string both =
      fmt::format("best against best ({} {} against {} {})", fast.memory,
                  short_seconds(fast.seconds), slow.memory, short_seconds(slow.seconds));
  constexpr double wide = 0.5;
  if (times <= 1 + within)
    return fmt::format("{} and {} {} {}, {}.", fast_side.name, slow_side.name,
                       within < wide ? "are equally fast, within"
                                     : "cannot be told apart, because equal runs differ by",
                       percent(within), both);
  return fmt::format("{} is {} times as fast as {}, {}, mostly by {}: {}.", fast_side.name,
                     times_text(times), slow_side.name, both,
                     main_difference(fast.sample(), slow.sample(), problem.steps),
                     why_different(fast.sample(), slow.sample(), problem.steps));
}

}  // namespace

std::size_t Problem::rows() const {
  std::size_t all = 0;
  for (const auto& side : sides) all += side.size();
  return all;
}

std::string Problem::title() const {
  return fmt::format("{}, {} {}s ({} of arrays)", label, steps, step, bytes_text(bytes));
}

std::vector<Problem> problems_of(const std::vector<Side>& sides, std::size_t base) {
  nlohmann::ordered_map<std::string, Groups> by_problem;
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (const Group& group : sides[s].groups)
      if (value_of(group.what.problem, "variant") != "copy")  // the yardstick
        by_problem[problem_label(group.what)].emplace_back(s, &group);
  std::vector<Problem> problems;
  for (const auto& [label, groups] : by_problem)
    problems.push_back(problem_of(sides, base, groups));
  std::erase_if(problems, [](const Problem& problem) { return problem.rows() == 0; });
  std::stable_sort(problems.begin(), problems.end(), first_problem);
  return problems;
}

std::vector<std::string> sentences(const std::vector<Side>& sides, std::size_t base,
                                   const std::vector<Problem>& problems) {
  std::vector<std::string> all, against;
  for (std::size_t s = 0; s < sides.size(); ++s) {
    // Of a side without a run of the first problem, its own first one.
    const auto own = std::find_if(problems.begin(), problems.end(),
                                  [&](const Problem& p) { return !p.sides[s].empty(); });
    if (own == problems.end()) {
      if (!problems.empty()) all.push_back(sides[s].name + ": no run of an application.");
      continue;
    }
    const std::string other = own == problems.begin() ? "" : " [" + own->label + "]";
    all.push_back(fastest_memory(sides[s], own->sides[s]) + other);
    if (s == base) continue;
    const auto both = std::find_if(problems.begin(), problems.end(), [&](const Problem& p) {
      return !p.sides[s].empty() && !p.sides[base].empty();
    });
    if (both == problems.end())
      against.push_back(fmt::format("{} and {} ran no problem in common: neither is ranked.",
                                    sides[s].name, sides[base].name));
    else
      against.push_back(best_against_best(sides[s], both->sides[s].front(), sides[base],
                                          both->sides[base].front(), *both) +
                        (both == problems.begin() ? "" : " [" + both->label + "]"));
  }
  against.insert(against.end(), all.begin(), all.end());
  return against;
}

std::vector<Pair> pairs_of(const std::vector<Side>& sides, std::size_t base) {
  std::vector<Pair> pairs;
  for (const Group& there : sides[base].groups)
    for (std::size_t s = 0; s < sides.size(); ++s)
      for (const Group& here : sides[s].groups) {
        if (s == base || !one_case(here.what, there.what)) continue;
        Case both = there.what;
        for (const auto& [key, value] : here.what.settings)
          if (value_of(both.settings, key).empty()) both.settings.emplace_back(key, value);
        pairs.push_back({.side = s,
                         .here = &here,
                         .there = &there,
                         .label = label(both),
                         .ratio = here.middle().seconds() / there.middle().seconds(),
                         .noise = noise(spread(sides[s], here, sides[base], there))});
      }
  return pairs;
}

}  // namespace memstencil::compare
