// The screen, filled from rankings: its headline and its blocks.
#include "app/compare/show/screen.hpp"

#include "app/compare/judge/reasons.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"
#include "app/compare/show/headline.hpp"
#include "app/compare/show/phrases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace memstencil::compare {

namespace {

/// A row a name: of each side the row that stands there, or none.
using Cast = nlohmann::ordered_map<std::string, std::vector<Best>>;

/// The fastest of the base come first, then those that only others have.
std::vector<std::pair<std::string, std::vector<Best>>> sorted(const Cast& cast) {
  std::vector<std::pair<std::string, std::vector<Best>>> rows(cast.begin(), cast.end());
  const auto first = [](const std::vector<Best>& of) {
    const auto found = std::ranges::find_if(of, [](const Best& best) { return bool(best); });
    return std::pair(found - of.begin(), found->row->seconds);
  };
  std::ranges::stable_sort(rows, {}, [&](const auto& row) { return first(row.second); });
  return rows;
}

Row row_of(const std::string& name, const std::vector<Best>& of) {
  Row row{.name = name, .cells = std::vector<Cell>(of.size())};
  for (std::size_t side = 0; side < of.size(); ++side) {
    const Best& best = of[side];
    if (!best) continue;
    Cell& cell = row.cells[side];
    cell.seconds = best.row->seconds;
    cell.scaled = best.row->extrapolated;
    cell.assumed = best.row->sample().predicted && !best.row->sample().predicted->assumed.empty();
    cell.half = half_width(best);
    if (side > 0 && of[0]) cell.to_base = times_as_fast(best, of[0]);
  }
  return row;
}

void add_ratios_to_best(Block& block) {
  if (block.rows.empty()) return;
  for (std::size_t side = 0; side < block.rows.front().cells.size(); ++side) {
    double least = std::numeric_limits<double>::infinity();
    for (const Row& row : block.rows)
      least = std::min(least, row.cells[side].seconds.value_or(least));
    for (Row& row : block.rows)
      if (Cell& cell = row.cells[side]; cell.seconds) cell.to_best = *cell.seconds / least;
  }
}

/// "memory 1.42": why two sides differ in this row.
std::string against_base(const std::vector<Best>& of) {
  if (of.size() != 2 || !of[0] || !of[1] || !times_as_fast(of[1], of[0]).told()) return "";
  const bool faster = of[1].row->seconds < of[0].row->seconds;
  const auto cause = cause_of(*of[faster ? 1 : 0].row->group, *of[faster ? 0 : 1].row->group,
                              of[0].problem->steps);
  return cause ? cause->brief : "";
}

/// "release: 0.11, 0.12 s": what takes longer than in the side's best placement.
std::string beyond_best(const Problem& problem, const std::vector<Best>& of) {
  std::string part;
  std::vector<double> seconds;
  for (std::size_t side = 0; side < of.size(); ++side) {
    if (!of[side]) continue;
    const Ranked& own = problem.sides[side].front();
    if (of[side].row == &own) continue;
    const Sample& best = own.sample();
    const Excess excess = greatest_excess(of[side].row->sample(), best, problem.steps);
    if (part.empty()) part = excess.part;
    if (excess.part == part) seconds.push_back(excess.seconds);
  }
  return part.empty() ? "" : fmt::format("{}: {}", part, all_seconds(seconds));
}

Block placements_of(const Problem& problem) {
  Cast cast;
  for (std::size_t side = 0; side < problem.sides.size(); ++side)
    for (const Ranked& each : problem.sides[side]) {
      auto& row = cast[each.memory];
      row.resize(problem.sides.size());
      row[side] = {&each, &problem};
    }
  Block block{.title = problem.title()};
  const auto with =
      std::ranges::find_if(problem.sides, [](const auto& side) { return !side.empty(); });
  const std::string kind = kind_words(with->front().group->what);
  if (!kind.empty()) block.title += ", " + kind;
  for (const auto& [memory, of] : sorted(cast)) {
    Row row = row_of(memory, of);
    row.why = block.rows.empty() ? against_base(of) : beyond_best(problem, of);
    block.rows.push_back(std::move(row));
  }
  add_ratios_to_best(block);
  return block;
}

/// "1.7, 1.5 J per sweep", if all sides that ran it have it.
std::string joules_of(const std::vector<Best>& of) {
  std::vector<std::string> joules;
  std::string step;
  for (const Best& best : of) {
    if (!best) continue;
    const Record* energy = best.row->sample().energy;
    const auto each =
        energy == nullptr ? std::nullopt : number_if(*energy, "gpus.joules_per_iteration");
    if (!each) return "";
    joules.push_back(three_digits(*each));
    step = best.row->sample().step;
  }
  return fmt::format("{} J per {}", fmt::join(joules, ", "), step);
}

/// The kinds of step of the work, in the placement that is the base's best.
Block kinds_of(const std::vector<Problem>& problems, const Problem& first) {
  const auto with =
      std::ranges::find_if(first.sides, [](const auto& side) { return !side.empty(); });
  const std::string memory = with->front().memory,
                    words = placement_words(with->front().group->what);
  Cast cast;
  for (const Problem& problem : problems) {
    if (problem.work != first.work || problem.ranks != first.ranks) continue;
    for (std::size_t side = 0; side < problem.sides.size(); ++side)
      for (const Ranked& each : problem.sides[side])
        if (each.memory == memory) {
          auto& row = cast[kind_words(each.group->what)];
          row.resize(problem.sides.size());
          if (!row[side] || each.seconds < row[side].row->seconds) row[side] = {&each, &problem};
        }
  }
  Block block{.title = fmt::format("{}, {}: kinds of {} in {}", short_work(first.work),
                                   steps_words(first), first.step, words)};
  for (const auto& [kind, of] : sorted(cast)) {
    block.rows.push_back(row_of(kind, of));
    block.rows.back().why = joules_of(of);
  }
  if (block.rows.size() < 2) block.rows.clear();
  add_ratios_to_best(block);
  return block;
}

/// The best of each number of GPUs.
Block scaling_of(const std::vector<Problem>& problems) {
  const Problem* work = scaled_work(problems);
  if (work == nullptr) return {};
  std::set<int> numbers;
  for (const Problem& problem : problems)
    if (problem.work == work->work) numbers.insert(problem.ranks);
  Block block{.title = fmt::format("{}, {}: the best on each number of GPUs",
                                   short_work(work->work), steps_words(*work))};
  for (const int number : numbers) {
    std::vector<Best> of;
    std::string name;
    std::set<std::string> kinds;
    for (std::size_t side = 0; side < work->sides.size(); ++side) {
      of.push_back(best_of(problems, work->work, side, number));
      if (!of.back()) continue;
      name = ranks_words(of.back());
      kinds.insert(kind_words(of.back().row->group->what));
    }
    block.rows.push_back(row_of(name, of));
    constexpr std::size_t most = 2;  // of more sides it is a list that helps little
    if (of.size() <= most) block.rows.back().why = fmt::format("{}", fmt::join(kinds, "; "));
  }
  add_ratios_to_best(block);
  return block;
}

}  // namespace

const Problem* scaled_work(const std::vector<Problem>& problems) {
  const Problem* found = nullptr;
  const auto rank = [&](const Problem& p) {
    return std::tuple(p.work == problems.front().work, p.work.starts_with("himeno"),
                      p.step == "sweep", p.bytes);
  };
  for (const Problem& problem : problems) {
    std::set<int> ranks;
    for (const Problem& other : problems)
      if (other.work == problem.work) ranks.insert(other.ranks);
    if (ranks.size() > 1 && (found == nullptr || rank(problem) > rank(*found))) found = &problem;
  }
  return found;
}

Screen screen_of(const std::vector<Side>& sides, const std::vector<Problem>& problems) {
  Screen screen;
  for (const Side& side : sides) screen.sides.push_back(side.name);
  screen.title = fmt::format("memstencil: {}", fmt::join(screen.sides, " and "));
  screen.headline = headline_of(sides, problems);
  if (problems.empty()) return screen;
  const Problem& first = problems.front();
  screen.placement = placement_of(sides, first);
  Block placements = placements_of(first), kinds = kinds_of(problems, first);
  if (placements.rows.size() == 1 && !kinds.rows.empty()) placements.rows.clear();
  for (Block& block : std::vector<Block>{placements, kinds, scaling_of(problems)})
    if (!block.rows.empty()) screen.blocks.push_back(std::move(block));
  return screen;
}

std::vector<Block> every_problem(const std::vector<Problem>& problems) {
  std::vector<Block> blocks;
  for (const Problem& problem : problems) blocks.push_back(placements_of(problem));
  return blocks;
}

Record record_of(const Screen& screen) {
  Record blocks = Record::array();
  for (const Block& block : screen.blocks) {
    Record rows = Record::array();
    for (const Row& row : block.rows) {
      Record cells = Record::object();
      for (std::size_t side = 0; side < row.cells.size(); ++side) {
        const Cell& cell = row.cells[side];
        if (!cell.seconds) continue;
        Record& made = cells[screen.sides[side]];
        made = {{"seconds", *cell.seconds},
                {"scaled", cell.scaled},
                {"assumed", cell.assumed},
                {"half_width", or_null(cell.half)},
                {"to_best", or_null(cell.to_best)}};
        if (cell.to_base)
          made.update({{"times_the_base", cell.to_base->value},
                       {"low", cell.to_base->measured() ? Record(cell.to_base->low) : Record()},
                       {"high", cell.to_base->measured() ? Record(cell.to_base->high) : Record()},
                       {"one_process", cell.to_base->one_process},
                       {"told", cell.to_base->told()}});
      }
      rows.push_back({{"name", row.name}, {"sides", cells}, {"why", row.why}});
    }
    blocks.push_back({{"title", block.title}, {"rows", rows}});
  }
  return {{"headline", screen.headline},
          {"placement", screen.placement},
          {"blocks", blocks},
          {"also", screen.also},
          {"know", screen.know}};
}

}  // namespace memstencil::compare
