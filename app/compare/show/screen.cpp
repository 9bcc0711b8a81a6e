// The screen, filled from rankings: its headline and its blocks.
#include "app/base/record/text_report.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"
#include "app/compare/show/show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <utility>

namespace memstencil::compare {

namespace {

/// Of each side the row that stands there, or null.
using Rows = std::vector<const Ranked*>;
using Cast = nlohmann::ordered_map<std::string, Rows>;
using Named = std::vector<std::pair<std::string, Rows>>;

/// The fastest of the base come first, then those that only others have.
Named sorted(const Cast& cast) {
  Named rows(cast.begin(), cast.end());
  std::ranges::stable_sort(rows, {}, [](const auto& row) {
    const Rows& of = row.second;
    const auto found = std::ranges::find_if(of, std::identity());
    return std::pair(found - of.begin(), (*found)->seconds);
  });
  return rows;
}

Record cell_of(const Ranked& row, const Ranked* base, double least) {
  const auto& predicted = row.sample().predicted;
  Record cell{{"seconds", row.seconds},
              {"scaled", row.extrapolated},
              {"assumed", predicted && !predicted->assumed.empty()},
              {"half_width", or_null(half_width(row))},
              {"to_best", row.seconds / least}};
  if (base == nullptr) return cell;
  const Ratio ratio = times_as_fast(row, *base);
  cell.update({{"times_the_base", ratio.value},
               {"low", ratio.measured() ? Record(ratio.low) : Record()},
               {"high", ratio.measured() ? Record(ratio.high) : Record()},
               {"one_process", ratio.lone > 0},
               {"told", ratio.told()}});
  return cell;
}

/// @param why of a row
Record block_of(const std::vector<Side>& sides, const std::string& title, const Named& named,
                const std::function<std::string(const Rows&)>& why) {
  std::vector<double> least(sides.size(), std::numeric_limits<double>::infinity());
  for (const auto& [name, of] : named)
    for (std::size_t side = 0; side < of.size(); ++side)
      if (of[side] != nullptr) least[side] = std::min(least[side], of[side]->seconds);
  Record rows = Record::array();
  for (const auto& [name, of] : named) {
    Record cells = Record::object();
    for (std::size_t side = 0; side < of.size(); ++side)
      if (of[side] != nullptr)
        cells[sides[side].name] = cell_of(*of[side], side == 0 ? nullptr : of.front(), least[side]);
    rows.push_back({{"name", name}, {"sides", cells}, {"why", why(of)}});
  }
  return {{"title", title}, {"rows", rows}};
}

/// "memory 1.42": why two sides differ in this row.
std::string cause_words(const Rows& of) {
  if (of.size() != 2 || !of[0] || !of[1] || !times_as_fast(*of[1], *of[0]).told()) return "";
  const bool faster = of[1]->seconds < of[0]->seconds;
  const auto cause = cause_of(*of[faster ? 1 : 0]->group, *of[faster ? 0 : 1]->group, of[0]->steps);
  return cause ? cause->brief : "";
}

/// "release: 0.11, 0.12 s": what takes longer than in the side's best placement.
std::string beyond_best(const Problem& problem, const Rows& of) {
  std::string part;
  std::vector<std::string> seconds;
  for (std::size_t side = 0; side < of.size(); ++side) {
    if (of[side] == nullptr || of[side] == &problem.sides[side].front()) continue;
    const auto [longest, excess] =
        greatest_excess(of[side]->sample(), problem.sides[side].front().sample(), problem.steps);
    if (excess == 0) continue;
    if (part.empty()) part = longest;
    if (longest == part) seconds.push_back(short_seconds(excess));
  }
  return part.empty() ? "" : fmt::format("{}: {}", part, fmt::join(seconds, ", "));
}

/// Of the first side that has one.
const Ranked& first_row(const Problem& problem) {
  return std::ranges::find_if(problem.sides, [](const auto& side) { return !side.empty(); })
      ->front();
}

Record placements_of(const std::vector<Side>& sides, const Problem& problem) {
  Cast cast;
  for (std::size_t side = 0; side < sides.size(); ++side)
    for (const Ranked& each : problem.sides[side]) {
      Rows& row = cast[each.memory];
      row.resize(sides.size());
      row[side] = &each;
    }
  const std::string kind = kind_words(first_row(problem).group->what);
  const Named named = sorted(cast);
  return block_of(sides, problem.title() + (kind.empty() ? "" : ", " + kind), named,
                  [&](const Rows& of) {
                    return of == named.front().second ? cause_words(of) : beyond_best(problem, of);
                  });
}

/// "1.7, 1.5 J per sweep", if all sides that ran it have it.
std::string joules_of(const Rows& of) {
  std::vector<std::string> joules;
  std::string step;
  for (const Ranked* row : of) {
    if (row == nullptr) continue;
    const Sample& sample = row->sample();
    const auto each = sample.energy == nullptr
                          ? std::nullopt
                          : number_if(*sample.energy, "gpus.joules_per_iteration");
    if (!each) return "";
    joules.push_back(three_digits(*each));
    step = sample.step;
  }
  return fmt::format("{} J per {}", fmt::join(joules, ", "), step);
}

/// The kinds of step of the work, in the placement that is the base's best.
Record kinds_of(const std::vector<Side>& sides, const std::vector<Problem>& problems) {
  const Problem& first = problems.front();
  const Ranked& best = first_row(first);
  Cast cast;
  for (const Problem& problem : problems) {
    if (problem.work != first.work || problem.ranks != first.ranks) continue;
    for (std::size_t side = 0; side < sides.size(); ++side)
      for (const Ranked& each : problem.sides[side])
        if (each.memory == best.memory) {
          Rows& row = cast[kind_words(each.group->what)];
          row.resize(sides.size());
          if (row[side] == nullptr || each.seconds < row[side]->seconds) row[side] = &each;
        }
  }
  if (cast.size() < 2) cast.clear();
  return block_of(sides,
                  fmt::format("{}: kinds of {} in {}", work_words(best), first.step,
                              placement_words(best.group->what)),
                  sorted(cast), joules_of);
}

/// The best of each number of GPUs.
Record scaling_of(const std::vector<Side>& sides, const std::vector<Problem>& problems) {
  const Problem* work = scaled_work(problems);
  std::set<int> numbers;
  for (const Problem& problem : problems)
    if (work != nullptr && problem.work == work->work) numbers.insert(problem.ranks);
  Named named;
  for (const int number : numbers) {
    auto& [name, of] = named.emplace_back();
    for (std::size_t side = 0; side < sides.size(); ++side) {
      of.push_back(best_of(problems, work->work, side, number));
      if (of.back() != nullptr) name = ranks_words(of.back()->sample());
    }
  }
  const auto kinds = [](const Rows& of) -> std::string {
    if (of.size() > 2) return "";  // it is a list that helps little
    std::set<std::string> all;
    for (const Ranked* row : of)
      if (row != nullptr) all.insert(kind_words(row->group->what));
    return fmt::format("{}", fmt::join(all, "; "));
  };
  return block_of(
      sides,
      work == nullptr
          ? ""
          : fmt::format("{}: the best on each number of {}", work_words(first_row(*work)),
                        first_row(*work).sample().by_gpu() ? "GPUs" : "ranks"),
      named, kinds);
}

}  // namespace

Record screen_of(const std::vector<Side>& sides, const std::vector<Problem>& problems) {
  Record screen{
      {"headline", headline_of(sides, problems)}, {"placement", ""}, {"blocks", Record::array()}};
  if (problems.empty()) return screen;
  screen["placement"] = placement_of(sides, problems.front());
  Record placements = placements_of(sides, problems.front()), kinds = kinds_of(sides, problems);
  if (placements["rows"].size() == 1 && !kinds["rows"].empty()) placements["rows"].clear();
  for (const Record& block : {placements, kinds, scaling_of(sides, problems)})
    if (!block.at("rows").empty()) screen["blocks"].push_back(block);
  return screen;
}

Record every_problem(const std::vector<Side>& sides, const std::vector<Problem>& problems) {
  Record blocks = Record::array();
  for (const Problem& problem : problems) blocks.push_back(placements_of(sides, problem));
  return blocks;
}

}  // namespace memstencil::compare
