// Memory spaces set against each other: runs of one problem, brought to one number of steps.
#include "app/compare/ranking.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/reasons.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace memstencil::compare {

namespace {

constexpr double assumed_noise = 0.05;

/// The number of steps that most runs made; of equals the larger.
std::int64_t common_steps(const std::vector<Costs>& runs) {
  std::map<std::int64_t, int> votes;
  for (const Costs& costs : runs) ++votes[costs.steps];
  return std::max_element(votes.begin(), votes.end(),
                          [](const auto& a, const auto& b) {
                            return std::pair(a.second, a.first) < std::pair(b.second, b.first);
                          })
      ->first;
}

/// Of two runs in one memory the better one for a ranking with so many steps.
bool better(const Costs& a, const Costs& b, std::int64_t steps) {
  return std::tuple(a.steps == steps, a.steady(), a.steps) >
         std::tuple(b.steps == steps, b.steady(), b.steps);
}

RankedSide ranked(const Side& side, const std::vector<const Costs*>& runs, std::int64_t steps) {
  RankedSide out{.side = &side, .spread = spread_of_wall_times(side)};
  std::map<std::string, const Costs*> by_memory;
  for (const Costs* costs : runs) {
    const Costs*& known = by_memory[costs->memory];
    if (known == nullptr || better(*costs, *known, steps)) known = costs;
  }
  for (const auto& [memory, costs] : by_memory) {
    if (costs->steps != steps && !costs->steady())
      out.left_out.push_back(
          fmt::format("{} ({} {}s, whose pace is not steady)", memory, costs->steps, costs->step));
    else
      out.contenders.push_back({*costs, costs->at(steps).total()});
  }
  std::stable_sort(out.contenders.begin(), out.contenders.end(),
                   [](const Contender& a, const Contender& b) { return a.seconds < b.seconds; });
  return out;
}

Problem problem_of(const std::vector<Side>& sides,
                   const std::vector<std::pair<std::size_t, Costs>>& runs) {
  std::vector<Costs> all;
  for (const auto& [side, costs] : runs) all.push_back(costs);
  Problem problem{.label = all.front().problem,
                  .step = all.front().step,
                  .bytes = all.front().bytes,
                  .steps = common_steps(all),
                  .sides = {}};
  for (std::size_t s = 0; s < sides.size(); ++s) {
    std::vector<const Costs*> of_side;
    for (const auto& [side, costs] : runs)
      if (side == s) of_side.push_back(&costs);
    if (!of_side.empty()) problem.sides.push_back(ranked(sides[s], of_side, problem.steps));
  }
  return problem;
}

/// Seconds of the shortest step of all runs.
double shortest_step(const Problem& problem) {
  double least = std::numeric_limits<double>::infinity();
  for (const RankedSide& side : problem.sides)
    for (const Contender& each : side.contenders) least = std::min(least, each.costs.median);
  return least;
}

bool shared_before(const Problem& a, const Problem& b) {
  const auto order = [](const Problem& p) {
    return std::tuple(p.contenders() > p.sides.size(), p.step == "sweep", p.contenders(), p.bytes,
                      -shortest_step(p));
  };
  return order(a) > order(b);
}

std::string extrapolated(const Problem& problem, const Costs& costs) {
  if (costs.steps == problem.steps) return "";
  return fmt::format("; extrapolated{} from {} {}s", costs.steps < problem.steps ? "" : " back",
                     costs.steps, costs.step);
}

/// The parts of the fastest one's time.
std::string why_fast(const Contender& best, std::int64_t steps) {
  const Seconds seconds = best.costs.at(steps);
  const double share = seconds[Part::Pace] / seconds.total();
  return fmt::format("{:.0f} % {}s{}", 100 * share, best.costs.step, pace(best.costs));
}

std::string percent(double part) { return fmt::format("{:.2g} %", 100 * part); }

bool inside_noise(const RankedSide& side, const Contender& each) {
  return each.seconds <= (1 + side.noise()) * side.contenders.front().seconds;
}

std::string noise_text(const RankedSide& side) {
  return percent(side.noise()) + (side.spread ? " (spread of equal runs)" : " (assumed spread)");
}

/// "H100: equally fast sweeps (within 2 %): managed, prefetch; device; their runs differ by
/// download"; empty where no other memory's steps are as fast as those of the first.
std::string title_of_equal_steps(const RankedSide& side, std::int64_t steps) {
  const Contender& best = side.contenders.front();
  std::vector<std::string> equals{best.costs.memory};
  std::set<std::string> phases;
  double within = 0;
  for (const Contender& each : side.contenders) {
    if (&each == &best || !each.costs.as_fast_a_step_as(best.costs)) continue;
    equals.push_back(each.costs.memory);
    within = std::max(within, each.costs.equal_steps_within(best.costs));
    if (!inside_noise(side, each)) phases.insert(separating_phase(each.costs, best.costs, steps));
  }
  if (equals.size() == 1) return "";
  const std::string title = fmt::format("{}: equally fast {}s (within {}): {}", side.side->label,
                                        best.costs.step, percent(within), fmt::join(equals, "; "));
  if (!phases.empty())
    return fmt::format("{}; their runs differ by {}", title, fmt::join(phases, ", "));
  return fmt::format("{}; their runs, too, within {}", title, noise_text(side));
}

std::string title_of_ranking(const RankedSide& side, std::int64_t steps) {
  const Contender& best = side.contenders.front();
  if (side.contenders.size() == 1)
    return fmt::format("{}: {} in {}", side.side->label, short_seconds(best.seconds),
                       best.costs.memory);
  if (std::string equal = title_of_equal_steps(side, steps); !equal.empty()) return equal;
  std::vector<std::string> equals;
  for (const Contender& each : side.contenders)
    if (&each != &best && inside_noise(side, each)) equals.push_back(each.costs.memory);
  const std::string fastest = fmt::format("{}: fastest is {}", side.side->label, best.costs.memory);
  if (equals.empty())
    return fastest + (side.spread ? ""
                                  : fmt::format(" ({} is assumed as spread of equal runs)",
                                                percent(side.noise())));
  return fmt::format("{}; as fast within {}: {}", fastest, noise_text(side),
                     fmt::join(equals, "; "));
}

Table ranking_frame(const std::string& title, const std::string& first) {
  return {.title = title,
          .columns = {{first}, {"time", Show::Number, "s"}, {"ratio", Show::Times}, {"why"}}};
}

std::vector<Record> ranking_row(const Problem& problem, const std::string& name,
                                const Contender& each, const Contender& best, bool equal) {
  std::string why = &each == &best ? why_fast(each, problem.steps)
                                   : why_slower(each.costs, best.costs, problem.steps);
  if (equal && &each != &best) why = "as fast, inside the spread";
  return {name, each.seconds, each.seconds / best.seconds, why + extrapolated(problem, each.costs)};
}

}  // namespace

const Contender* RankedSide::find(const std::string& memory) const {
  const auto found = std::find_if(contenders.begin(), contenders.end(), [&](const Contender& each) {
    return each.costs.memory == memory;
  });
  return found == contenders.end() ? nullptr : &*found;
}

double RankedSide::noise() const {
  constexpr double least = 0.02;  // two runs that happen to agree prove no more
  return spread ? std::max(*spread, least) : assumed_noise;
}

std::size_t Problem::contenders() const {
  std::size_t all = 0;
  for (const RankedSide& side : sides) all += side.contenders.size();
  return all;
}

std::vector<Problem> problems_of(const std::vector<Side>& sides) {
  std::vector<std::string> keys;
  std::map<std::string, std::vector<std::pair<std::size_t, Costs>>> by_key;
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (const Costs& costs : costs_of(sides[s])) {
      if (costs.entry->program == "transpose" &&
          text_of(costs.entry->identity, "variant") == "copy")
        continue;
      if (by_key.count(costs.key) == 0) keys.push_back(costs.key);
      by_key[costs.key].emplace_back(s, costs);
    }
  std::vector<Problem> problems;
  for (const std::string& key : keys) problems.push_back(problem_of(sides, by_key.at(key)));
  std::erase_if(problems, [](const Problem& problem) { return problem.contenders() == 0; });
  std::stable_sort(problems.begin(), problems.end(), shared_before);
  return problems;
}

std::string title_of(const Problem& problem) {
  return fmt::format("{} x {} ({} of arrays)", problem.label, problem.steps,
                     bytes_text(problem.bytes));
}

Table ranking_table(const Problem& problem, const RankedSide& side, std::size_t most_rows) {
  Table table = ranking_frame(title_of_ranking(side, problem.steps), "memory");
  const Contender& best = side.contenders.front();
  for (const Contender& each : side.contenders) {
    if (table.rows.size() == most_rows) break;
    table.rows.push_back(
        ranking_row(problem, each.costs.memory, each, best, inside_noise(side, each)));
  }
  if (side.contenders.size() > most_rows)
    table.note = fmt::format("{} more: --full. ", side.contenders.size() - most_rows);
  if (!side.left_out.empty())
    table.note += fmt::format("Not ranked: {}.", fmt::join(side.left_out, ", "));
  return table;
}

Table ranking_of_sides(const Problem& problem) {
  std::vector<std::pair<const RankedSide*, const Contender*>> all;
  double noise = 0;
  for (const RankedSide& side : problem.sides) {
    noise = std::max(noise, side.noise());
    for (const Contender& each : side.contenders) all.emplace_back(&side, &each);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.second->seconds < b.second->seconds;
  });
  const Contender& best = *all.front().second;
  std::vector<std::string> equals;
  for (const auto& [side, each] : all)
    if (each != &best && each->seconds <= (1 + noise) * best.seconds)
      equals.push_back(side->side->label);
  std::string title = "Fastest is " + all.front().first->side->label;
  if (!equals.empty())
    title += fmt::format("; as fast within {}: {}", percent(noise), fmt::join(equals, "; "));
  Table table = ranking_frame(title, "machine");
  for (const auto& [side, each] : all) {
    const bool equal = each->seconds <= (1 + noise) * best.seconds;
    std::vector<Record> row =
        ranking_row(problem, side->side->label + ": " + each->costs.memory, *each, best, equal);
    if (!equal)
      row.back() = why_different(each->costs, best.costs, problem.steps) +
                   extrapolated(problem, each->costs);
    table.rows.push_back(row);
  }
  return table;
}

Table other_problems(const std::vector<Problem>& problems, std::size_t most_rows) {
  Table table{.title = "Other cases, in the fastest memory of each",
              .columns = {{"case"},
                          {"machine"},
                          {"memory"},
                          {"time", Show::Number, "s"},
                          {"a step", Show::Number, "ms"}}};
  for (std::size_t n = 1; n < problems.size(); ++n)
    for (const RankedSide& side : problems[n].sides) {
      if (side.contenders.empty() || table.rows.size() == most_rows) continue;
      const Contender& best = side.contenders.front();
      table.rows.push_back({fmt::format("{} x {}", problems[n].label, problems[n].steps),
                            side.side->label, best.costs.memory, best.seconds,
                            1e3 * best.costs.median});
    }
  return table;
}

Table against(const Problem& problem, const RankedSide& of, const RankedSide& to,
              std::size_t most_rows) {
  Table table{
      .title = fmt::format("{} against {}, times as fast", of.side->label, to.side->label),
      .columns = {{"memory"}, {"run", Show::Times}, {"a " + problem.step, Show::Times}, {"why"}}};
  const double noise = std::max(of.noise(), to.noise());
  std::vector<std::string> equal;
  ToldLimits told;
  for (const Contender& here : of.contenders) {
    const Contender* there = to.find(here.costs.memory);
    if (there == nullptr) continue;
    const double run = there->seconds / here.seconds,
                 step = there->costs.median / here.costs.median;
    if (std::abs(run - 1) <= noise && std::abs(step - 1) <= noise)
      equal.push_back(fmt::format("{} ({:.2f} x)", here.costs.memory, run));
    else if (table.rows.size() < most_rows)
      table.rows.push_back({here.costs.memory, run, step,
                            why_different(here.costs, there->costs, problem.steps, &told)});
  }
  if (!equal.empty())
    table.note = fmt::format("As fast, inside the spread of {}: {}.", percent(noise),
                             fmt::join(equal, ", "));
  return table;
}

}  // namespace memstencil::compare
