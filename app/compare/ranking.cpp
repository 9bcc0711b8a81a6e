// Memories and sides ranked by wall time: one problem, brought to a common number of steps.
#include "app/compare/ranking.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace memstencil::compare {

namespace {

/// The groups of one problem, each with the number of its side.
using Groups = std::vector<std::pair<std::size_t, const Group*>>;

/// What makes a kind of step: the same task can be computed by another.
bool is_of_kind(const std::string& key) {
  static const std::set<std::string> keys{"sweep", "layout", "variant", "tile",
                                          "pitch", "run",    "ranks"};
  return keys.count(key) > 0;
}

std::string kind_of(const Group& group) {
  Members kind = group.what.problem;
  std::erase_if(kind, [](const auto& each) { return !is_of_kind(each.first); });
  return joined(kind);
}

/// On as many ranks, whatever their division.
std::string task_of(const Group& group) {
  Case task = group.what;
  std::erase_if(task.problem, [](const auto& each) { return is_of_kind(each.first); });
  if (group.middle().ranks > 1)
    task.problem.emplace_back("ranks", std::to_string(group.middle().ranks));
  return problem_label(task);
}

/// The number of steps that most groups of each task made; of equals the larger.
std::map<std::string, std::int64_t> common_steps(const std::vector<Side>& sides) {
  std::map<std::string, std::map<std::int64_t, int>> votes;
  for (const Side& side : sides)
    for (const Group& group : side.groups) ++votes[task_of(group)][group.middle().steps];
  std::map<std::string, std::int64_t> steps;
  for (const auto& [task, of] : votes)
    steps[task] = std::max_element(of.begin(), of.end(), [](const auto& a, const auto& b) {
                    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
                  })->first;
  return steps;
}

/// Of two groups in one memory the better one for a ranking with so many steps.
bool better(const Sample& a, const Sample& b, std::int64_t steps) {
  return std::tuple(a.steps == steps, a.steady(), a.steps) >
         std::tuple(b.steps == steps, b.steady(), b.steps);
}

double step_noise(const Ranked& a, const Ranked& b) {
  return noise(wider(a.group->spread(&Sample::per_step), b.group->spread(&Sample::per_step)));
}

std::string reason_of(const Ranked& each, const Ranked& best, std::int64_t steps) {
  const Sample& s = each.sample();
  const std::string pages = pages_text(s);
  std::string why = &each == &best ? why_fast(s, steps)
                                   : why_slower(s, best.sample(), steps, step_noise(each, best));
  if (&each != &best && each.equal) why = "as fast, inside the spread: " + why;
  if (!pages.empty()) why = pages + "; " + why;
  if (!each.extrapolated) return why;
  return why + fmt::format("; extrapolated{} from {} {}s", s.steps < steps ? "" : " back", s.steps,
                           s.step);
}

/// The last pass of fused sweeps makes it a few more: that is no other number.
bool another_number(std::int64_t steps, std::int64_t common) {
  constexpr double few = 0.05;
  return std::abs(static_cast<double>(steps - common)) > few * static_cast<double>(common);
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
    const bool another = another_number(middle.steps, problem.steps);
    if (another && !middle.steady()) {
      problem.left_out.push_back(fmt::format("{}, {} ({} {}s, whose pace is not steady)", side.name,
                                             memory, middle.steps, middle.step));
      continue;
    }
    Ranked& each = ranked.emplace_back(Ranked{.group = group, .memory = memory});
    each.seconds = middle.at(problem.steps).total();
    each.step = middle.per_step();
    each.once = each.seconds - each.step * static_cast<double>(problem.steps);
    each.extrapolated = another;
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.seconds < b.seconds; });
  for (Ranked& each : ranked) {
    each.to_best = each.seconds / ranked.front().seconds;
    each.spread = spread(side, *each.group, side, *ranked.front().group);
    each.equal = each.to_best <= 1 + noise(each.spread);
    each.reason = reason_of(each, ranked.front(), problem.steps);
  }
}

bool in_one_memory(const Case& a, const Case& b) {
  return a.memory == b.memory && agree(a.settings, b.settings);
}

bool one_case(const Case& a, const Case& b) {
  return a.steps == b.steps && a.program == b.program && a.problem == b.problem &&
         in_one_memory(a, b);
}

Problem problem_of(const std::vector<Side>& sides, std::size_t base, const Groups& groups,
                   std::int64_t steps) {
  const Group& first = *groups.front().second;
  Problem problem{.label = problem_label(first.what),
                  .task = task_of(first),
                  .kind = kind_of(first),
                  .step = first.middle().step,
                  .bytes = first.middle().bytes,
                  .steps = steps,
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

/// Three digits of a number of steps.
std::string count_text(double steps) {
  const double unit = std::pow(10, std::floor(std::log10(std::max(1.0, steps))) - 2);
  return fmt::format("{:.0f}", unit > 1 ? std::round(steps / unit) * unit : std::ceil(steps));
}

/// What another memory costs, per step and once: "sweeps equally fast; it pays 0.112 s more, once:
/// 1 % after 2140 sweeps".
std::string costs_more(const Ranked& other, const Ranked& best, const std::string& step) {
  constexpr double little = 0.01;
  const double more = other.once - best.once, longer = other.step - best.step;
  if (std::abs(longer) <= step_noise(other, best) * best.step) {
    const double after = (more / little - best.once) / best.step;
    if (more <= 0) return step + "s equally fast";
    return fmt::format("{}s equally fast; it pays {} more, once: 1 % after {} {}s", step,
                       short_seconds(more), count_text(after), step);
  }
  std::string text = fmt::format("{} times as long a {}", times_text(other.step / best.step), step);
  if (std::abs(more) < little * best.seconds) return text;
  text +=
      fmt::format(", and {} {} once", short_seconds(std::abs(more)), more > 0 ? "more" : "less");
  if (more * longer < 0)
    text += fmt::format("; the faster one {} {} {}s", longer < 0 ? "from" : "up to",
                        count_text(-more / longer), step);
  return text;
}

/// A run of a task, with the problem that has its kind.
struct Best {
  const Ranked* row = nullptr;
  const Problem* problem = nullptr;

  std::string text(bool with_kind) const {
    const std::string kind = with_kind && !problem->kind.empty() ? problem->kind + " in " : "";
    return fmt::format("{}{} {}{}", kind, row->memory, row->extrapolated ? "~" : "",
                       short_seconds(row->seconds));
  }
};

/// The side's fastest run of the task, of any kind.
Best best_of(const std::vector<Problem>& problems, const std::string& task, std::size_t side) {
  Best best;
  for (const Problem& problem : problems)
    if (problem.task == task && !problem.sides[side].empty())
      if (const Ranked& row = problem.sides[side].front();
          best.row == nullptr || row.seconds < best.row->seconds)
        best = {&row, &problem};
  return best;
}

/// "h100: device is the fastest memory, 0.636 s (81 % sweeps at ...); managed, prefetch: ...".
std::string fastest_memory(const Side& side, const Problem& own, std::size_t number,
                           const Best& best) {
  const std::vector<Ranked>& ranked = own.sides[number];
  const Ranked& first = ranked.front();
  const std::string seconds = (first.extrapolated ? "~" : "") + short_seconds(first.seconds);
  std::string text = side.name + ": ";
  if (ranked.size() == 1)
    text += fmt::format("{} in {}: {}", seconds, first.memory, first.reason);
  else {
    text += fmt::format("{} is the fastest memory, {}", first.memory, seconds);
    const auto slower =
        std::find_if(ranked.begin(), ranked.end(), [](const Ranked& each) { return !each.equal; });
    for (auto each = ranked.begin() + 1; each != slower; ++each)
      text += fmt::format("{}{} (within {})", each == ranked.begin() + 1 ? ". As fast: " : ", ",
                          each->memory, spread_note(each->spread));
    if (slower != ranked.end())
      text += fmt::format(". {} takes {} times as long: {}", slower->memory,
                          times_text(slower->to_best), costs_more(*slower, first, own.step));
  }
  if (best.row != &first)
    text += fmt::format(". The fastest kind: {}, {} times as fast", best.text(true),
                        times_text(first.seconds / best.row->seconds));
  return text + ".";
}

/// "h200 is 1.44 times as fast as h100, best against best (...): a sweep ...; mostly by memory:
/// ..."
std::string one_against_other(const Side& fast_side, const Best& fast, const Side& slow_side,
                              const Best& slow, const std::string& how, bool with_why) {
  if (fast.row->seconds > slow.row->seconds)
    return one_against_other(slow_side, slow, fast_side, fast, how, with_why);
  const double times = slow.row->seconds / fast.row->seconds;
  const double within = noise(spread(fast_side, *fast.row->group, slow_side, *slow.row->group));
  const bool kinds = fast.problem->kind != slow.problem->kind ||
                     (how == "best against best" && !with_why);  // they ran in other kinds, too
  const std::string both =
      fmt::format("{} ({} against {})", how, fast.text(kinds), slow.text(kinds));
  constexpr double wide = 0.5;
  if (times <= 1 + within)
    return fmt::format("{} and {} {} {}, {}.", fast_side.name, slow_side.name,
                       within < wide ? "are equally fast, within"
                                     : "cannot be told apart, because equal runs differ by",
                       percent(within), both);
  const Problem& problem = *fast.problem;
  return fmt::format(
      "{} is {} times as fast as {}, {}: a {} {} times ({}), once {}; mostly by {}{}.",
      fast_side.name, times_text(times), slow_side.name, both, problem.step,
      times_text(slow.row->step / fast.row->step), both_seconds(fast.row->step, slow.row->step),
      both_seconds(fast.row->once, slow.row->once),
      main_difference(fast.row->sample(), slow.row->sample(), problem.steps),
      with_why ? ": " + why_different(fast.row->sample(), slow.row->sample(), problem.steps) : "");
}

/// A side against the base: of the first task that both ran, best against best; then of its first
/// kind that both ran, and of its unified memories, where these are others.
void add_against(const std::vector<Side>& sides, std::size_t side, std::size_t base,
                 const std::vector<Problem>& problems, std::vector<std::string>& all) {
  for (const Problem& of : problems) {
    const Best here = best_of(problems, of.task, side), there = best_of(problems, of.task, base);
    if (here.row == nullptr || there.row == nullptr) continue;
    const auto add = [&](const Best& a, const Best& b, const std::string& how, bool with_why) {
      all.push_back(one_against_other(sides[side], a, sides[base], b, how, with_why) +
                    (of.task == problems.front().task ? "" : " [" + of.task + "]"));
    };
    const auto common = std::find_if(problems.begin(), problems.end(), [&](const Problem& each) {
      return each.task == of.task && !each.sides[side].empty() && !each.sides[base].empty();
    });
    const bool in_common = common != problems.end();
    const Best mine{in_common ? &common->sides[side].front() : nullptr, &*common};
    const Best its{in_common ? &common->sides[base].front() : nullptr, &*common};
    const bool others = in_common && (mine.row != here.row || its.row != there.row);
    add(here, there, "best against best", !others);  // or the reason is that of one kind
    if (others) add(mine, its, "both " + common->kind, true);
    if (!in_common) return;
    const Best unified{common->unified(side), &*common}, of_base{common->unified(base), &*common};
    if (unified.row != nullptr && of_base.row != nullptr &&
        (unified.row != mine.row || of_base.row != its.row))
      add(unified, of_base, "in unified memory", false);
    return;
  }
  all.push_back(fmt::format("{} and {} ran no problem in common: neither is ranked.",
                            sides[side].name, sides[base].name));
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

const Ranked* Problem::unified(std::size_t side) const {
  for (const Ranked& each : sides[side])
    if (const std::string space = value_of(each.group->what.memory, "memspace");
        each.sample().by_gpu() && (space == "managed" || space == "system"))
      return &each;
  return nullptr;
}

std::vector<Problem> problems_of(const std::vector<Side>& sides, std::size_t base) {
  nlohmann::ordered_map<std::string, Groups> by_problem;
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (const Group& group : sides[s].groups)
      if (value_of(group.what.problem, "variant") != "copy")  // the yardstick
        by_problem[problem_label(group.what)].emplace_back(s, &group);
  const auto steps = common_steps(sides);
  std::vector<Problem> problems;
  for (const auto& [label, groups] : by_problem)
    problems.push_back(problem_of(sides, base, groups, steps.at(task_of(*groups.front().second))));
  std::erase_if(problems, [](const Problem& problem) { return problem.rows() == 0; });
  std::stable_sort(problems.begin(), problems.end(), first_problem);
  return problems;
}

std::vector<std::string> sentences(const std::vector<Side>& sides, std::size_t base,
                                   const std::vector<Problem>& problems) {
  std::vector<std::string> all;
  if (problems.empty()) return all;
  for (std::size_t s = 0; s < sides.size(); ++s)
    if (s != base) add_against(sides, s, base, problems, all);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    // Of a side without a run of the first task, its own first one.
    const auto first = std::find_if(problems.begin(), problems.end(),
                                    [&](const Problem& p) { return !p.sides[s].empty(); });
    if (first == problems.end()) {
      all.push_back(sides[s].name + ": no run of an application.");
      continue;
    }
    all.push_back(fastest_memory(sides[s], *first, s, best_of(problems, first->task, s)) +
                  (first == problems.begin() ? "" : " [" + first->label + "]"));
  }
  return all;
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
