// The headline: who is how many times as fast, like with like, then each side at its best; and
// where arrays should lie.
#include "app/compare/show/headline.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/judge/reasons.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/show/phrases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace memstencil::compare {

namespace {

/// Under it two times of a step count as equal, in the costs of a placement.
constexpr double equal_steps = 0.03;

bool is_single(const Best& best) {
  const std::string sweep = value_of(best.row->group->what.problem, "sweep");
  return sweep == "single" && value_of(best.row->group->what.problem, "layout").empty();
}

/// "himeno XL, 100 sweeps, arrays in device memory".
std::string at_what(const Best& best) {
  std::string text =
      fmt::format("{}, {}", short_work(best.problem->work), steps_words(*best.problem));
  if (!is_single(best)) text += ", " + kind_words(best.row->group->what);
  if (best.problem->ranks > 1) text += ", on " + ranks_words(best);
  return text + ", arrays in " + placement_words(best.row->group->what);
}

/// A side's name with its row.
struct Of {
  std::string name;
  Best best;
};

/// The verdict of two rows of one work, and the cause where there is one.
/// @param at what both ran; empty: it was said before
std::string verdict(Of a, Of b, const std::string& at) {
  if (b.best.row->seconds < a.best.row->seconds) std::swap(a, b);
  const Ratio ratio = times_as_fast(a.best, b.best);
  const std::string where = at.empty() ? "" : " at " + at;
  const std::string times = fmt::format("{} times ({})", times_text(ratio.value), ratio.in_words());
  const char* const is = ratio.predicted ? "is predicted to be" : "is";
  const std::string both =
      fmt::format("{} against {}", seconds_words(*a.best.row), seconds_words(*b.best.row));
  if (!ratio.told())
    return fmt::format("No difference can be {} between {} and {}{}: {}, {}.",
                       ratio.predicted ? "predicted" : "told", a.name, b.name, where, both, times);
  std::string said =
      fmt::format("{} {} {} as fast as {}{}: {}.", a.name, is, times, b.name, where, both);
  const auto cause = cause_of(*a.best.row->group, *b.best.row->group, a.best.problem->steps);
  if (cause) said += fmt::format(" Why: {}.", cause->sentence);
  return said;
}

/// "4 fused sweeps on 4 GPUs", "single sweeps in managed memory".
/// @param usual a placement that is not named
std::string how_words(const Best& best, const std::string& usual = "") {
  std::string text = kind_words(best.row->group->what);
  Case alike = best.row->group->what;
  alike.memory = without(alike.memory, {"messages"});
  const std::string placement = placement_words(alike);
  if (placement != usual) text += " in " + placement;
  return best.problem->ranks > 1 ? text + " on " + ranks_words(best) : text;
}

/// The same with its seconds.
std::string best_words(const Best& best, const std::string& usual) {
  return fmt::format("{} ({})", how_words(best, usual), seconds_words(*best.row));
}

/// Where the side's largest number of GPUs is not its best: what it takes.
std::string all_gpus(const std::vector<Problem>& problems, std::size_t side, const Best& best,
                     const std::string& name) {
  int most = 1;
  for (const Problem& problem : problems)
    if (problem.work == best.problem->work && !problem.sides[side].empty())
      most = std::max(most, problem.ranks);
  if (most <= best.problem->ranks) return "";
  const Best all = best_of(problems, best.problem->work, side, most);
  return fmt::format(" {} on all of its {} takes {}.", name, ranks_words(all),
                     seconds_words(*all.row));
}

/// Each at its best, where that is another row than those of `like`.
std::string at_best(const std::vector<Side>& sides, std::size_t side,
                    const std::vector<Problem>& problems, const Best& like_here,
                    const Best& like_there) {
  const std::string& work = like_here.problem->work;
  const Best here = best_of(problems, work, side), there = best_of(problems, work, 0);
  if (here.row == like_here.row && there.row == like_there.row) return "";
  Of a{sides[side].name, here}, b{sides[0].name, there};
  if (b.best.row->seconds < a.best.row->seconds) std::swap(a, b);
  const Ratio ratio = times_as_fast(a.best, b.best);
  const std::string usual = placement_words(like_there.row->group->what);
  const std::string both =
      fmt::format("by {} against {}", best_words(a.best, usual), best_words(b.best, usual));
  std::string said =
      ratio.told()
          ? fmt::format("Each at its best: {} is {} times ({}) as fast as {}, {}.", a.name,
                        times_text(ratio.value), ratio.in_words(), b.name, both)
          : fmt::format("Each at its best, no difference can be told between {} and {} ({}), {}.",
                        a.name, b.name, ratio.in_words(), both);
  return said + all_gpus(problems, side, here, sides[side].name) +
         all_gpus(problems, 0, there, sides[0].name);
}

/// Of three sides and more in one sentence.
std::string all_at_best(const std::vector<Side>& sides, const std::vector<Problem>& problems,
                        const std::string& work, const std::string& usual) {
  std::vector<std::string> said;
  const Best base = best_of(problems, work, 0);
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const Best best = best_of(problems, work, side);
    if (!best) continue;
    std::string times;
    if (side > 0 && base) {
      const Ratio ratio = times_as_fast(best, base);
      times = fmt::format("{}{} times ({}), ", ratio.told() ? "" : "not told, ",
                          times_text(ratio.value), ratio.in_words());
    }
    said.push_back(fmt::format("{} {}by {}", sides[side].name, times, best_words(best, usual)));
  }
  return fmt::format("Each at its best: {}.", fmt::join(said, "; "));
}

std::vector<std::string> of_one_side(const std::vector<Side>& sides,
                                     const std::vector<Problem>& problems, std::size_t side) {
  const auto first = std::ranges::find_if(
      problems, [&](const Problem& problem) { return !problem.sides[side].empty(); });
  if (first == problems.end()) return {sides[side].name + ": no run of an application."};
  const Best own{&first->sides[side].front(), &*first};
  const auto half = half_width(own);
  std::vector<std::string> said{
      fmt::format("{} takes {}{} at {}: {}.", sides[side].name, seconds_words(*own.row),
                  half ? fmt::format(" (\u00b1 {:.0f} %)", 100 * *half) : "", at_what(own),
                  why_fast(own.row->sample(), first->steps))};
  const Best best = best_of(problems, first->work, side);
  if (best.row != own.row) {
    const Ratio ratio = times_as_fast(best, own);
    said.push_back(fmt::format("At its best: {} times ({}) as fast, by {}.{}",
                               times_text(ratio.value), ratio.in_words(),
                               best_words(best, placement_words(own.row->group->what)),
                               all_gpus(problems, side, best, sides[side].name)));
  }
  return said;
}

/// A side against the base.
void add_against(const std::vector<Side>& sides, std::size_t side,
                 const std::vector<Problem>& problems, std::string& at_before,
                 std::vector<std::string>& all) {
  const std::string &name = sides[side].name, &base = sides[0].name;
  if (const auto like = like_with_like(problems, side)) {
    const std::string at = at_what(like->there);
    all.push_back(verdict({name, like->here}, {base, like->there}, at == at_before ? "" : at));
    at_before = at;
    if (std::string best = at_best(sides, side, problems, like->here, like->there);
        !best.empty() && sides.size() == 2)
      all.push_back(std::move(best));
    return;
  }
  for (const Problem& problem : problems) {
    const Best here = best_of(problems, problem.work, side),
               there = best_of(problems, problem.work, 0);
    if (!here || !there) continue;
    const std::string at = fmt::format("{}, {}", short_work(problem.work), steps_words(problem));
    all.push_back(verdict({fmt::format("{} ({})", name, how_words(here)), here},
                          {fmt::format("{} ({})", base, how_words(there)), there}, at));
    return;
  }
  all.push_back(fmt::format("{} and {} ran no problem in common: neither is ranked.", name, base));
}

/// "0.117 to 0.158 s", "1.19 to 1.36"
std::string range_words(const std::vector<double>& values, bool seconds) {
  const auto words = [&](double v) { return seconds ? short_seconds(v) : times_text(v); };
  const auto [least, most] = std::ranges::minmax(values);
  const std::string low = words(least), high = words(most);
  if (low == high) return low;
  const std::size_t unit = low.find(' '), unit_high = high.find(' ');
  const bool one_unit = seconds && low.substr(unit) == high.substr(unit_high);
  return (one_unit ? low.substr(0, unit) : low) + " to " + high;
}

/// What a placement costs more than the best one of each side.
struct Costs {
  std::string words;
  double seconds = 0;  ///< of the side that has it first
  std::vector<double> fixed, times;
  bool equal = true;  ///< a step takes as long

  std::string text(const std::string& step) const {
    if (equal && std::ranges::min(fixed) > 0)
      return fmt::format("{} costs {} more per run and nothing per {}", words,
                         range_words(fixed, true), step);
    if (std::ranges::max(times) < 1.02) return words + " takes as long";
    return fmt::format("{} takes {} times as long", words, range_words(times, false));
  }
};

}  // namespace

std::vector<std::string> headline_of(const std::vector<Side>& sides,
                                     const std::vector<Problem>& problems) {
  std::vector<std::string> all;
  if (problems.empty()) return all;
  if (sides.size() == 1) return of_one_side(sides, problems, 0);
  std::string at;
  for (std::size_t side = 1; side < sides.size(); ++side)
    add_against(sides, side, problems, at, all);
  if (sides.size() > 2 && !problems.front().sides.front().empty())
    all.push_back(all_at_best(sides, problems, problems.front().work,
                              placement_words(problems.front().sides[0].front().group->what)));
  return all;
}

std::string placement_of(const std::vector<Side>& sides, const Problem& problem) {
  nlohmann::ordered_map<std::string, std::vector<std::string>> best_in;
  nlohmann::ordered_map<std::string, Costs> others;
  std::size_t with = 0;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const auto& ranked = problem.sides[side];
    if (ranked.empty()) continue;
    ++with;
    const Ranked& best = ranked.front();
    best_in[placement_words(best.group->what)].push_back(sides[side].name);
    for (const Ranked& each : ranked) {
      if (&each == &best) continue;
      Costs& costs = others[each.memory];
      if (costs.words.empty())
        costs.words = placement_words(each.group->what), costs.seconds = each.seconds;
      costs.fixed.push_back(each.seconds - best.seconds);
      costs.times.push_back(each.to_best);
      costs.equal = costs.equal && std::abs(each.step / best.step - 1) <= equal_steps;
    }
  }
  if (others.empty()) return "";
  std::vector<std::string> places;
  for (const auto& [place, names] : best_in)
    places.push_back(names.size() == with && with > 1
                         ? fmt::format("{}, on {}", place, with == 2 ? "both" : "all")
                     : with == 1 ? place
                                 : fmt::format("{} on {}", place, fmt::join(names, " and ")));
  std::vector<Costs> costs;
  for (const auto& [memory, of] : others) costs.push_back(of);
  std::ranges::stable_sort(costs, {}, &Costs::seconds);
  constexpr std::size_t most = 3;
  std::vector<std::string> said;
  for (const Costs& each : costs)
    if (said.size() < most) said.push_back(each.text(problem.step));
  if (costs.size() > most) said.push_back(costs.back().text(problem.step));
  std::string text = fmt::format("Where to put arrays: in {}. ", fmt::join(places, "; in "));
  for (std::size_t n = 0; n < said.size(); ++n) {
    std::string part = said[n];
    if (n == 0) part[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(part[0])));
    text += (n == 0 ? "" : "; ") + part;
  }
  return text + ".";
}

}  // namespace memstencil::compare
