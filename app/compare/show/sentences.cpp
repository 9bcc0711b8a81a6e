// The answer in sentences, measured or predicted: which side and memory is the faster one, by how
// much, and why.
#include "app/compare/show/sentences.hpp"

#include "app/compare/judge/reasons.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace memstencil::compare {

namespace {

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
    return fmt::format("{}s equally fast; it pays {} more, once", step, short_seconds(more)) +
           (after < 1 ? "" : fmt::format(": 1 % after {} {}s", count_text(after), step));
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
    const auto slower = std::ranges::find(ranked, false, &Ranked::equal);
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
    const auto common = std::ranges::find_if(problems, [&](const Problem& each) {
      return each.task == of.task && !each.sides[side].empty() && !each.sides[base].empty();
    });
    if (common == problems.end()) return add(here, there, "best against best", true);
    const Best mine{&common->sides[side].front(), &*common};
    const Best its{&common->sides[base].front(), &*common};
    const bool others = mine.row != here.row || its.row != there.row;
    add(here, there, "best against best", !others);  // or the reason is that of one kind
    if (others) add(mine, its, "both " + common->kind, true);
    const Best unified{common->unified(side), &*common}, of_base{common->unified(base), &*common};
    if (unified.row != nullptr && of_base.row != nullptr &&
        (unified.row != mine.row || of_base.row != its.row))
      add(unified, of_base, "in unified memory", false);
    return;
  }
  all.push_back(fmt::format("{} and {} ran no problem in common: neither is ranked.",
                            sides[side].name, sides[base].name));
}

/// The fastest row of those memories; null where none is predicted.
const Record* best_of(const Record& machine, bool unified) {
  for (const Record& row : machine.at("memories"))
    if (const auto space = memory_space_from_name(text(row, "memory"));
        row.contains("seconds") && (!unified || (space && home(*space) == Home::Migrates)))
      return &row;
  return nullptr;
}

std::string in_memory(const Record& row) {
  const std::string range = row.contains("range") ? " (" + text(row, "range") + ")" : "";
  return text(row, "memory") + " " + short_seconds(number(row, "seconds")) + range;
}

/// "miyabi-g is predicted to be 1.75 times as fast as pegasus, ...".
std::string against(const Record& here, const Record& there, const Record& a, const Record& b,
                    const std::string& how, const std::string& step) {
  if (number(a, "seconds") > number(b, "seconds")) return against(there, here, b, a, how, step);
  const double times = number(b, "seconds") / number(a, "seconds");
  const std::string names = text(here, "machine") + " is predicted to be ";
  std::string said =
      fmt::format("{}{} times as fast as {}, {}: {} against {}; the last {} {} times", names,
                  times_text(times), text(there, "machine"), how, in_memory(a), in_memory(b), step,
                  times_text(number(b, "last_step") / number(a, "last_step")));
  if (number(b, "least_seconds") < number(a, "most_seconds"))
    said += ". Which one is faster hangs on assumed figures: their ranges overlap";
  return said + ".";
}

}  // namespace

std::vector<std::string> sentences(const std::vector<Side>& sides, std::size_t base,
                                   const std::vector<Problem>& problems) {
  std::vector<std::string> all;
  if (problems.empty()) return all;
  for (std::size_t s = 0; s < sides.size(); ++s)
    if (s != base) add_against(sides, s, base, problems, all);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    // A side without a run of the first task is shown by the first one that it has.
    const auto first =
        std::ranges::find_if(problems, [&](const Problem& p) { return !p.sides[s].empty(); });
    if (first == problems.end()) {
      all.push_back(sides[s].name + ": no run of an application.");
      continue;
    }
    all.push_back(fastest_memory(sides[s], *first, s, best_of(problems, first->task, s)) +
                  (first == problems.begin() ? "" : " [" + first->label + "]"));
  }
  return all;
}

std::vector<std::string> predicted_sentences(const Record& machines, const std::string& step) {
  std::vector<std::string> all;
  for (const Record& machine : machines)
    for (const bool unified : {false, true}) {
      const Record *a = best_of(machine, unified), *b = best_of(machines.front(), unified);
      if (&machine != &machines.front() && a != nullptr && b != nullptr &&
          (!unified || a != best_of(machine, false) || b != best_of(machines.front(), false)))
        all.push_back(against(machine, machines.front(), *a, *b,
                              unified ? "in unified memory" : "best against best", step));
    }
  for (const Record& machine : machines) {
    const Record* best = best_of(machine, false);
    if (best == nullptr) continue;
    std::vector<std::string> unsure;
    for (const Record& row : machine.at("memories"))
      if (&row != best && row.contains("seconds") &&
          number(row, "least_seconds") < number(*best, "most_seconds"))
        unsure.push_back(in_memory(row));
    std::string said = fmt::format("{}: {}", text(machine, "machine"), in_memory(*best));
    if (unsure.empty())
      said += " is the fastest memory";
    else
      said += fmt::format(" and {} cannot be ranked: they hang on assumed figures",
                          fmt::join(unsure, ", "));
    all.push_back(said + ".");
  }
  return all;
}

}  // namespace memstencil::compare
