// The screen, filled from rankings: its headline, its blocks, and what to know before quoting it.
#include "app/compare/show/screen.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/judge/reasons.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"
#include "app/compare/show/headline.hpp"
#include "app/compare/show/phrases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
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
    cell.half = half_width(times_of(*best.row->group, best.problem->steps));
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

/// "memory 1.42": why the first side that has a cause differs from the base in this row.
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
  const std::string kind =
      kind_words(problem.sides.front().empty() ? cast.begin()->second.back().row->group->what
                                               : problem.sides.front().front().group->what);
  if (!kind.empty()) block.title += ", " + kind;
  for (const auto& [memory, of] : sorted(cast)) {
    Row row = row_of(memory, of);
    row.why = block.rows.empty() ? against_base(of) : beyond_best(problem, of);
    block.rows.push_back(std::move(row));
  }
  add_ratios_to_best(block);
  return block;
}

/// "1.7, 1.5 J per sweep", where all sides that ran it have it.
std::string joules_of(const std::vector<Best>& of) {
  std::vector<std::string> joules;
  for (const Best& best : of) {
    if (!best) continue;
    const Record* energy = best.row->sample().energy;
    const auto each =
        energy == nullptr ? std::nullopt : number_if(*energy, "gpus.joules_per_iteration");
    if (!each) return "";
    joules.push_back(three_digits(*each));
  }
  return fmt::format("{} J per step", fmt::join(joules, ", "));
}

/// The kinds of step of the work, in the placement that is the base's best.
Block kinds_of(const std::vector<Problem>& problems, const Problem& first) {
  const auto with =
      std::ranges::find_if(first.sides, [](const auto& side) { return !side.empty(); });
  const std::string memory = with->front().memory;
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
                                   steps_words(first), first.step, memory)};
  for (const auto& [kind, of] : sorted(cast)) {
    block.rows.push_back(row_of(kind, of));
    block.rows.back().why = joules_of(of);
  }
  if (block.rows.size() < 2) block.rows.clear();
  add_ratios_to_best(block);
  return block;
}

/// The work whose numbers of GPUs are shown: the first one's, otherwise the largest of himeno.
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
    constexpr std::size_t most = 3;  // of more sides it is a list that helps little
    if (of.size() <= most) block.rows.back().why = fmt::format("{}", fmt::join(kinds, "; "));
  }
  add_ratios_to_best(block);
  return block;
}

/// The first rate of membench whose name has all of these words, as times the base's.
std::string rate_words(const Record& rates, const std::vector<std::string>& sides,
                       const std::string& name, const char* probe,
                       const std::vector<const char*>& words, bool less_is_better) {
  for (const Record& row : rates) {
    const std::string label = text(row, "row");
    if (row.at("probe") != probe || std::ranges::any_of(words, [&](const char* word) {
          return label.find(word) == label.npos;
        }))
      continue;
    std::vector<std::string> ratios;
    for (const std::string& side : sides)
      if (const auto ratio = number_if(row.at("to_base"), side))
        ratios.push_back(times_text(less_is_better ? 1 / *ratio : *ratio));
    if (!ratios.empty()) return fmt::format("{} {}", name, fmt::join(ratios, ", "));
  }
  return "";
}

/// himeno's come first.
std::vector<const Problem*> largest_first(const std::vector<Problem>& problems) {
  std::vector<const Problem*> all;
  for (const Problem& problem : problems) all.push_back(&problem);
  std::ranges::stable_sort(all, std::greater<>(), [](const Problem* problem) {
    return std::tuple(problem->work.starts_with("himeno"), problem->step == "sweep",
                      problem->bytes);
  });
  return all;
}

/// "Also, h200 to h100: himeno L 1.40; heat ...": of the largest other works, like with like.
std::string also_of(const std::vector<Problem>& problems, const std::vector<std::string>& sides,
                    const Record& rates) {
  if (sides.size() < 2) return "";
  std::vector<std::string> all;
  std::set<std::string> known{problems.empty() ? "" : problems.front().work};
  std::map<std::string, std::size_t> of_program;
  for (const Problem* problem : largest_first(problems)) {
    if (problem->ranks > 1 || !known.insert(problem->work).second) continue;
    const std::string program = problem->work.substr(0, problem->work.find(' '));
    const bool headlined = problems.front().work.starts_with(program);
    if (of_program[program] == (headlined ? 2U : 1U)) continue;
    std::vector<std::string> ratios;
    for (std::size_t side = 1; side < sides.size(); ++side)
      if (const auto like = like_with_like(problems, side, problem->work)) {
        const Ratio ratio = times_as_fast(like->here, like->there);
        if (ratio.measured())
          ratios.push_back(ratio.told() ? times_text(ratio.value)
                                        : "(" + times_text(ratio.value) + ")");
      }
    if (ratios.empty()) continue;
    ++of_program[program];
    all.push_back(fmt::format("{} {}", short_work(problem->work), fmt::join(ratios, ", ")));
  }
  for (const std::string& each : {rate_words(rates, sides, "link to the GPU", "link",
                                             {" pinned,", "HtoD,", "copy engine"}, false),
                                  rate_words(rates, sides, "latency of device memory", "latency",
                                             {"global, device", "memory"}, true)})
    if (!each.empty()) all.push_back(each);
  if (all.empty()) return "";
  const std::vector<std::string> others(sides.begin() + 1, sides.end());
  return fmt::format("Also, how many times as fast as {} {} {}: {}.", sides[0],
                     others.size() > 1 ? "are" : "is", fmt::join(others, ", "),
                     fmt::join(all, "; "));
}

/// Of more values than three the others are counted.
std::string values_words(const std::string& joined_values) {
  constexpr std::size_t most = 3;
  std::vector<std::string> values;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = joined_values.find(" or ", from)) != joined_values.npos;
       from = at + 4)
    values.push_back(joined_values.substr(from, at - from));
  values.push_back(joined_values.substr(from));
  const std::size_t all = values.size();
  if (all > most) values.resize(2);
  std::string text = fmt::format("{}", fmt::join(values, " or "));
  constexpr std::size_t longest = 80;
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return all > most ? fmt::format("{} and {} more", text, all - 2) : text;
}

std::vector<std::string> know_of(const Screen& screen, const Record& facts,
                                 const std::vector<std::string>& notes,
                                 const std::vector<Problem>& problems) {
  std::vector<std::string> all;
  const std::size_t most_facts = screen.sides.size() > 3 ? 3 : 6, most_notes = 3;
  for (const Record& fact : facts) {
    if (all.size() == most_facts) break;
    std::vector<std::string> values;
    for (const std::string& side : screen.sides) {
      const auto value = fact.at("values").at(side).get<std::string>();
      if (!value.empty()) values.push_back(values_words(value));
    }
    all.push_back(fmt::format("{}: {}", text(fact, "fact"), fmt::join(values, " against ")));
  }
  if (facts.empty())
    all.emplace_back("Of the settings that both record none differs: build, driver, clocks, ...");
  if (facts.size() > most_facts)
    all.push_back(fmt::format("and {} more that differ (--full)", facts.size() - most_facts));
  for (std::size_t n = 0; n < std::min(most_notes, notes.size()); ++n) all.push_back(notes[n]);
  if (notes.size() > most_notes)
    all.push_back(fmt::format("and {} (--full)", counted(notes.size() - most_notes, "more note")));
  if (!problems.empty() && !problems.front().left_out.empty())
    all.push_back(fmt::format("Left out: {}.", fmt::join(problems.front().left_out, "; ")));
  return all;
}

}  // namespace

std::vector<Side> shown_sides(const std::vector<Side>& sides,
                              const std::vector<Problem>& problems) {
  if (problems.empty()) return sides;
  const Problem* scaled = scaled_work(problems);
  std::vector<Side> shown = sides;
  for (Side& side : shown) {
    std::erase_if(side.groups, [&](const Group& group) {
      const std::string work = task_of(group, false);
      return work != problems.front().work && (scaled == nullptr || work != scaled->work);
    });
    std::set<std::string> files;
    for (const Group& group : side.groups)
      for (const Sample& sample : group.samples) files.insert(sample.run->file);
    if (files.empty()) continue;  // all that it has is shown elsewhere
    std::erase_if(side.runs, [&](const Run* run) { return !files.contains(run->file); });
  }
  return shown;
}

Screen screen_of(const std::vector<Side>& sides, const std::vector<Problem>& problems,
                 const Record& facts, const std::vector<std::string>& notes, const Record& rates) {
  Screen screen;
  for (const Side& side : sides) screen.sides.push_back(side.name);
  screen.title = fmt::format("memstencil: {}", fmt::join(screen.sides, " and "));
  screen.headline = headline_of(sides, problems);
  if (!problems.empty()) {
    const Problem& first = problems.front();
    screen.placement = placement_of(sides, first);
    Block placements = placements_of(first), kinds = kinds_of(problems, first);
    if (placements.rows.size() == 1 && !kinds.rows.empty()) placements.rows.clear();
    for (Block& block : std::vector<Block>{placements, kinds, scaling_of(problems)})
      if (!block.rows.empty()) screen.blocks.push_back(std::move(block));
  }
  screen.also = also_of(problems, screen.sides, rates);
  screen.know = know_of(screen, facts, notes, problems);
  return screen;
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
