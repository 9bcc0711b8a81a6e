// The screen, filled from rankings: its headline and its blocks.
#include "app/base/record/text_report.hpp"
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
using Named = std::vector<std::pair<std::string, Rows>>;

const Ranked* first_of(const Rows& rows) { return *std::ranges::find_if(rows, std::identity()); }

/// The fastest row of each side under each name; the fastest of the base come first, then those
/// that only others have.
/// @param name_of a row of a problem; empty: it is left out
Named named(const std::vector<Problem>& problems,
            const std::function<std::string(const Problem&, const Ranked&)>& name_of) {
  nlohmann::ordered_map<std::string, Rows> cast;
  for (const Problem& problem : problems)
    for (std::size_t side = 0; side < problem.sides.size(); ++side)
      for (const Ranked& each : problem.sides[side]) {
        const std::string name = name_of(problem, each);
        if (name.empty()) continue;
        Rows& row = cast[name];
        row.resize(problem.sides.size());
        if (row[side] == nullptr || each.seconds < row[side]->seconds) row[side] = &each;
      }
  Named rows(cast.begin(), cast.end());
  std::ranges::stable_sort(rows, {}, [](const auto& row) {
    const Ranked* first = first_of(row.second);
    return std::pair(std::ranges::find(row.second, first) - row.second.begin(), first->seconds);
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
Record block_of(const std::vector<Side>& sides, const std::string& title, const Named& named_rows,
                const std::function<std::string(const Rows&)>& why) {
  std::vector<double> least(sides.size(), std::numeric_limits<double>::infinity());
  for (const auto& [name, of] : named_rows)
    for (std::size_t side = 0; side < of.size(); ++side)
      if (of[side] != nullptr) least[side] = std::min(least[side], of[side]->seconds);
  Record rows = Record::array();
  for (const auto& [name, of] : named_rows) {
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

Record placements_of(const std::vector<Side>& sides, const std::vector<Problem>& problems,
                     const Problem& problem) {
  const std::string kind = problem.words();
  const Named rows = named(problems, [&](const Problem& of, const Ranked& each) {
    return &of == &problem ? each.memory : "";
  });
  return block_of(sides, problem.title() + (kind.empty() ? "" : ", " + kind), rows,
                  [&](const Rows& of) {
                    return of == rows.front().second ? cause_words(of) : beyond_best(problem, of);
                  });
}

/// The kinds of step of the work, in the placement that is the base's best.
Record kinds_of(const std::vector<Side>& sides, const std::vector<Problem>& problems) {
  const Problem& first = problems.front();
  const Ranked& best = first.first();
  Named rows = named(problems, [&](const Problem& of, const Ranked& each) {
    const bool shown = of.work == first.work && of.ranks == first.ranks;
    return shown && each.memory == best.memory ? kind_words(each.group->what) : "";
  });
  if (rows.size() < 2) rows.clear();
  return block_of(sides,
                  fmt::format("{}: kinds of {} in {}", work_words(best), first.step,
                              placement_words(best.group->what)),
                  rows, [](const Rows&) { return ""; });
}

/// The best of each number of GPUs.
Record scaling_of(const std::vector<Side>& sides, const std::vector<Problem>& problems) {
  const Problem* work = scaled_work(problems);
  if (work == nullptr) return block_of(sides, "", {}, {});
  Named rows = named(problems, [&](const Problem& of, const Ranked& each) {
    return of.work == work->work ? ranks_words(each.sample()) : "";
  });
  std::ranges::stable_sort(rows, {},
                           [](const auto& row) { return first_of(row.second)->sample().ranks; });
  const auto kinds = [](const Rows& of) -> std::string {
    if (of.size() > 2) return "";  // it is a list that helps little
    std::set<std::string> all;
    for (const Ranked* row : of)
      if (row != nullptr) all.insert(kind_words(row->group->what));
    return fmt::format("{}", fmt::join(all, "; "));
  };
  const Ranked& first = work->first();
  return block_of(sides,
                  fmt::format("{}: the best on each number of {}", work_words(first),
                              first.sample().by_gpu() ? "GPUs" : "ranks"),
                  rows, kinds);
}

}  // namespace

Record screen_of(const std::vector<Side>& sides, const std::vector<Problem>& problems) {
  Record screen{
      {"headline", headline_of(sides, problems)}, {"placement", ""}, {"blocks", Record::array()}};
  if (problems.empty()) return screen;
  screen["placement"] = placement_of(sides, problems.front());
  Record placements = placements_of(sides, problems, problems.front()),
         kinds = kinds_of(sides, problems);
  if (placements["rows"].size() == 1 && !kinds["rows"].empty()) placements["rows"].clear();
  for (const Record& block : {placements, kinds, scaling_of(sides, problems)})
    if (!block.at("rows").empty()) screen["blocks"].push_back(block);
  return screen;
}

Record every_problem(const std::vector<Side>& sides, const std::vector<Problem>& problems) {
  Record blocks = Record::array();
  for (const Problem& problem : problems) blocks.push_back(placements_of(sides, problems, problem));
  return blocks;
}

}  // namespace memstencil::compare
