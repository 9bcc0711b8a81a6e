// The headline: who is how many times as fast, like with like, then each side at its best; and
// where arrays should lie.
#include "app/base/record/text_report.hpp"
#include "app/compare/judge/judge.hpp"
#include "app/compare/show/show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <utility>

namespace memstencil::compare {

namespace {

/// Under it two times of a step count as equal, in the costs of a placement.
constexpr double equal_steps = 0.03;

/// "himeno XL, 100 sweeps, arrays in device memory".
std::string at_what(const Ranked& row) {
  const Members& problem = row.group->what.problem;
  std::string text = work_words(row);
  if (value_of(problem, "sweep") != "single" || !value_of(problem, "layout").empty())
    text += ", " + kind_words(row.group->what);
  if (row.sample().ranks > 1) text += ", on " + ranks_words(row.sample());
  return text + ", arrays in " + placement_words(row.group->what);
}

/// "0.617 s", with the mark of a figure that was scaled from another number of steps.
std::string seconds_words(const Ranked& row) {
  return (row.extrapolated ? "~" : "") + short_seconds(row.seconds);
}

/// The verdict of two rows of one work, and the cause where there is one.
/// @param at what both ran; empty: it was said before
std::string verdict(std::pair<std::string, const Ranked*> a,
                    std::pair<std::string, const Ranked*> b, const std::string& at) {
  if (b.second->seconds < a.second->seconds) std::swap(a, b);
  const auto& [fast, here] = a;
  const auto& [slow, there] = b;
  const Ratio ratio = times_as_fast(*here, *there);
  const std::string times = fmt::format("{} times ({})", times_text(ratio.value), ratio.in_words()),
                    where = at.empty() ? "" : " at " + at,
                    both =
                        fmt::format("{} against {}", seconds_words(*here), seconds_words(*there));
  if (!ratio.told())
    return fmt::format("No difference can be {} between {} and {}{}: {}, {}.",
                       ratio.predicted ? "predicted" : "told", fast, slow, where, both, times);
  const auto cause = cause_of(*here->group, *there->group, here->steps);
  return fmt::format("{} is {}{} as fast as {}{}: {}.{}", fast,
                     ratio.predicted ? "predicted to be " : "", times, slow, where, both,
                     cause ? " Why: " + cause->sentence + "." : "");
}

/// "4 fused sweeps on 4 GPUs", "single sweeps in managed memory".
/// @param usual a placement that is not named
std::string how_words(const Ranked& row, const std::string& usual = "") {
  Case alike = row.group->what;
  alike.memory = without(alike.memory, {"messages"});
  std::string text = kind_words(alike);
  if (const std::string placement = placement_words(alike); placement != usual)
    text += " in " + placement;
  return row.sample().ranks > 1 ? text + " on " + ranks_words(row.sample()) : text;
}

/// Where the side's largest number of GPUs is not its best: what it takes.
std::string all_gpus(const std::vector<Problem>& problems, std::size_t side, const Ranked& best,
                     const std::string& name) {
  const std::string work = task_of(*best.group, false);
  int most = 1;
  for (const Problem& problem : problems)
    if (problem.work == work && !problem.sides[side].empty()) most = std::max(most, problem.ranks);
  if (most <= best.sample().ranks) return "";
  const Ranked& all = *best_of(problems, work, side, most);
  return fmt::format(" {} on all of its {} takes {}.", name, ranks_words(all.sample()),
                     seconds_words(all));
}

/// Each side at its best at the work that was `shown`, against the base at its best; a single side
/// against its first row. Empty if these rows were shown, or none.
std::string at_best(const std::vector<Side>& sides, const std::vector<Problem>& problems,
                    const std::set<const Ranked*>& shown) {
  const auto is_shown = [&](const Ranked& row) { return shown.contains(&row); };
  const auto problem = std::ranges::find_if(problems, [&](const Problem& each) {
    return std::ranges::any_of(
        each.sides, [&](const auto& ranked) { return std::ranges::any_of(ranked, is_shown); });
  });
  if (problem == problems.end() || problem->sides.front().empty()) return "";
  const auto& own = problem->sides.front();
  const std::string &work = problem->work, usual = placement_words(own.front().group->what);
  const bool alone = sides.size() == 1;
  const Ranked* base = alone ? &own.front() : best_of(problems, work, 0);
  std::vector<std::string> said;
  std::string all;
  bool is_new = false;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const Ranked* best = best_of(problems, work, side);
    if (best == nullptr) continue;
    is_new = is_new || !shown.contains(best);
    const Ratio ratio = times_as_fast(*best, *base);
    const std::string times =
        best == base
            ? ""
            : fmt::format("{} times ({}{}) as fast, ", times_text(ratio.value),
                          ratio.told() ? "" : "no difference can be told: ", ratio.in_words());
    said.push_back(fmt::format("{}{}by {} ({})", alone ? "" : sides[side].name + " ", times,
                               how_words(*best, usual), seconds_words(*best)));
    all += all_gpus(problems, side, *best, sides[side].name);
  }
  if (!is_new) return "";
  return fmt::format("{}t its best: {}.{}", alone ? "A" : "Each a", fmt::join(said, "; "), all);
}

/// A side against the base.
/// @param at_before of the sentence before
/// @param shown gets the rows that it is about
std::string against_base(const std::vector<Side>& sides, std::size_t side,
                         const std::vector<Problem>& problems, std::string& at_before,
                         std::set<const Ranked*>& shown) {
  const std::string &name = sides[side].name, &base = sides[0].name;
  if (const auto like = like_with_like(problems, side)) {
    const std::string at = at_what(*like->there);
    shown.insert({like->here, like->there});
    return verdict({name, like->here}, {base, like->there},
                   at == std::exchange(at_before, at) ? "" : at);
  }
  for (const Problem& problem : problems) {
    const Ranked *here = best_of(problems, problem.work, side),
                 *there = best_of(problems, problem.work, 0);
    if (here == nullptr || there == nullptr) continue;
    shown.insert({here, there});
    return verdict({fmt::format("{} ({})", name, how_words(*here)), here},
                   {fmt::format("{} ({})", base, how_words(*there)), there}, work_words(*there));
  }
  return fmt::format("{} and {} ran no problem in common: neither is ranked.", name, base);
}

/// What a single side takes.
std::string alone(const std::string& name, const Ranked& own) {
  const auto half = half_width(own);
  return fmt::format("{} takes {}{} at {}: {}.", name, seconds_words(own),
                     half ? fmt::format(" (\u00b1 {:.0f} %)", 100 * *half) : "", at_what(own),
                     why_fast(own.sample(), own.steps));
}

/// "0.117 to 0.158 s", "1.19 to 1.36"
std::string range_words(const std::vector<double>& values, bool seconds) {
  const auto [least, most] = std::ranges::minmax(values);
  const std::string low = seconds ? short_seconds(least) : times_text(least),
                    high = seconds ? short_seconds(most) : times_text(most);
  if (low == high) return low;
  return seconds ? both_seconds(least, most, " to ") : low + " to " + high;
}

/// What a placement costs more than the best one of each side.
struct Costs {
  double seconds = 0;  ///< of the side that has it first
  std::vector<double> fixed, times;
  std::vector<std::string> sides;
  bool equal = true;  ///< a step takes as long
  bool told = false;  ///< on a side, or no spread was measured
};

/// A transport is no placement, nor is a setting.
std::string place_of(const Ranked& row) {
  Case of = row.group->what;
  of.memory = without(of.memory, {"messages"});
  of.settings.clear();
  return placement_words(of);
}

}  // namespace

std::vector<std::string> headline_of(const std::vector<Side>& sides,
                                     const std::vector<Problem>& problems) {
  std::vector<std::string> all;
  if (problems.empty()) return all;
  std::set<const Ranked*> shown;
  std::string at;
  if (sides.size() == 1) {
    const Ranked& own = problems.front().sides[0].front();
    shown.insert(&own);
    all.push_back(alone(sides[0].name, own));
  }
  for (std::size_t side = 1; side < sides.size(); ++side)
    all.push_back(against_base(sides, side, problems, at, shown));
  if (std::string best = at_best(sides, problems, shown); !best.empty())
    all.push_back(std::move(best));
  return all;
}

std::string placement_of(const std::vector<Side>& sides, const Problem& problem) {
  nlohmann::ordered_map<std::string, std::vector<std::string>> best_in;
  nlohmann::ordered_map<std::string, Costs> others;
  std::size_t with = 0;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    std::set<std::string> known;
    for (const Ranked& each : problem.sides[side]) {
      const Ranked& best = problem.sides[side].front();
      const std::string place = place_of(each);
      if (!known.insert(place).second || known.size() < 2) continue;
      if (known.size() == 2) ++with, best_in[place_of(best)].push_back(sides[side].name);
      Costs& costs = others[place];
      if (costs.sides.empty()) costs.seconds = each.seconds;
      costs.fixed.push_back(each.seconds - best.seconds);
      costs.times.push_back(each.to_best);
      costs.sides.push_back(sides[side].name);
      costs.equal = costs.equal && std::abs(each.step / best.step - 1) <= equal_steps;
      const Ratio ratio = times_as_fast(best, each);
      costs.told = costs.told || ratio.told() || !ratio.measured();
    }
  }
  if (others.empty()) return "";
  std::vector<std::string> places, said, alike;
  for (const auto& [place, names] : best_in)
    places.push_back(sides.size() == 1 ? place
                     : names.size() == sides.size()
                         ? fmt::format("{}, on {}", place, names.size() == 2 ? "both" : "all")
                         : fmt::format("{} on {}", place, fmt::join(names, " and ")));
  std::vector<std::pair<std::string, Costs>> all(others.begin(), others.end());
  std::ranges::stable_sort(all, {}, [](const auto& each) { return each.second.seconds; });
  constexpr std::ptrdiff_t most = 3;  // and the last one
  if (std::ssize(all) > most) all.erase(all.begin() + most, all.end() - 1);
  for (auto& [words, costs] : all) {
    if (costs.sides.size() < with)
      words += fmt::format(" (on {})", fmt::join(costs.sides, " and "));
    if (!costs.told)
      alike.push_back(words);
    else if (costs.equal && std::ranges::min(costs.fixed) > 0)
      said.push_back(fmt::format("{} costs {} more per run and nothing per {}", words,
                                 range_words(costs.fixed, true), problem.step));
    else
      said.push_back(
          fmt::format("{} takes {} times as long", words, range_words(costs.times, false)));
  }
  if (!alike.empty())
    said.push_back(fmt::format("no difference can be told: {}", fmt::join(alike, ", ")));
  char& first = said.front().front();
  first = static_cast<char>(std::toupper(static_cast<unsigned char>(first)));
  return fmt::format("Where to put arrays: in {}. {}.", fmt::join(places, "; in "),
                     fmt::join(said, "; "));
}

}  // namespace memstencil::compare
