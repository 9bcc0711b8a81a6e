// The answer that comes first: which memory is the fastest on each machine, why, and what differs.
#include "app/compare/summary.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/comparison.hpp"
#include "app/compare/energy.hpp"
#include "app/compare/facts.hpp"
#include "app/compare/model_errors.hpp"
#include "app/compare/ranking.hpp"
#include "app/compare/reasons.hpp"
#include "app/compare/scaling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

namespace memstencil::compare {

namespace {

constexpr std::size_t all_rows = std::numeric_limits<std::size_t>::max();

/// So many rows of each of `tables` fit the screen.
std::size_t rows_each(std::size_t lines, std::size_t tables, std::size_t least) {
  return std::clamp(lines / std::max<std::size_t>(1, tables), least, lines);
}

std::string machine_sentence(const Side& side) {
  const MachineFacts& machine = side.runs.front()->machine();
  std::string processor = machine.cpu.model.value_or("a processor that is not known");
  if (machine.cpu.cores) processor += fmt::format(" ({} cores)", *machine.cpu.cores);
  std::set<std::string> files;
  for (const Run* run : side.runs)
    files.insert(run->folder.empty() ? std::filesystem::path(run->file).filename().string()
                                     : run->folder);
  const std::string gpu = machine.gpu ? machine.gpu->name : "no GPU";
  // A folder is named already.
  const std::string from = side.by == By::Folder ? ""
                           : files.size() > 2    ? " in " + counted(files.size(), "file")
                                                 : fmt::format(" in {}", fmt::join(files, ", "));
  return fmt::format("{}: {}{}; {}{}", side.label, gpu == side.label ? "" : gpu + ", ", processor,
                     counted(side.runs.size(), "run"), from);
}

/// If no GPU computed, all memory spaces are one; said once for all such sides.
std::vector<std::string> host_sentence(const std::vector<Side>& sides) {
  std::set<std::string> asked;
  std::vector<std::string> of;
  for (const Side& side : sides) {
    const std::size_t known = asked.size();
    bool host = false;
    for (const Entry& entry : side.entries) {
      if (text_of(entry.identity, "memspace") != "host") continue;
      host = true;
      asked.insert(entry.requested.begin(), entry.requested.end());
    }
    if (!host) continue;
    const auto spread = asked.size() > known ? spread_of_wall_times(side) : std::nullopt;
    of.push_back(spread
                     ? fmt::format("{} (equal runs differ by {:.2g} %)", side.label, 100 * *spread)
                     : side.label);
  }
  if (of.empty()) return {};
  return {fmt::format(
      "No GPU computed on {}: all four memory spaces are then the same pages of the host's memory, "
      "and none is faster; what differs below is something else. --memspace was: {}.",
      fmt::join(of, ", "), fmt::join(asked, ", "))};
}

/// In one memory on each side there is nothing to rank but the sides.
bool one_memory_each(const Problem& problem) {
  return problem.sides.size() > 1 &&
         std::all_of(problem.sides.begin(), problem.sides.end(),
                     [](const RankedSide& side) { return side.contenders.size() == 1; });
}

std::string title_of_section(const Problem& problem) {
  const bool several =
      std::any_of(problem.sides.begin(), problem.sides.end(),
                  [](const RankedSide& side) { return side.contenders.size() > 1; });
  return (several ? "Memory by wall time: " : "Wall time: ") + title_of(problem);
}

/// "a: 32768 x 32768 float, of the copy: portable 0.96, tuned 0.96, ...": of
/// each side's largest transpose.
void add_variants(const std::vector<Side>& sides, Section& section) {
  for (const Side& side : sides) {
    const transpose::Result* largest = nullptr;
    for (const Run* run : side.runs) {
      const auto* result = run->as<transpose::Result>();
      if (result == nullptr || result->variants.size() < 3) continue;
      if (largest == nullptr || result->rows * result->columns > largest->rows * largest->columns)
        largest = result;
    }
    if (largest == nullptr) continue;
    std::vector<transpose::Result::Variant> variants = largest->variants;
    std::stable_sort(variants.begin(), variants.end(),
                     [](const auto& a, const auto& b) { return a.of_copy > b.of_copy; });
    std::vector<std::string> texts;
    for (const auto& each : variants)
      if (each.name != "copy") texts.push_back(fmt::format("{} {:.2f}", each.name, each.of_copy));
    section.paragraphs.push_back(fmt::format("{}{}, speed over that of a copy: {}.", side.label,
                                             problem_label(*largest), fmt::join(texts, ", ")));
  }
}

Section ranking_section(const Problem& problem) {
  Section section{.title = title_of_section(problem)};
  if (one_memory_each(problem)) {
    section.tables.push_back(ranking_of_sides(problem));
    return section;
  }
  const std::size_t rows = rows_each(16, problem.sides.size(), 3);
  for (const RankedSide& side : problem.sides)
    if (!side.contenders.empty()) section.tables.push_back(ranking_table(problem, side, rows));
  return section;
}

std::string factors_text(const Entry& here, const Entry& there) {
  const std::string ratio =
      fmt::format("{} {:.2f}", here.label, here.value.median / there.value.median);
  if (!here.of_limit || !there.of_limit || !here.bandwidth || !there.bandwidth ||
      *there.of_limit == 0)
    return ratio;
  const double fractions = *here.of_limit / *there.of_limit;
  return ratio + fmt::format(" ({:.2f} x {:.2f})", *here.bandwidth / *there.bandwidth / fractions,
                             fractions);
}

/// "XL, temporal:3 x 120, in device 1.20 (1.41 x 0.85)": of the other cases that both have, the
/// first of himeno and of transpose's tuned kernel.
std::vector<std::string> other_cases(const Side& of, const Side& to,
                                     const std::set<std::string>& told) {
  std::size_t himeno = 0, transposes = 0;
  std::vector<std::string> cases;
  for (const Entry& here : of.entries) {
    const bool speed = here.table == "himeno: speed";
    const bool tuned = here.program == "transpose" && text_of(here.identity, "variant") == "tuned";
    const Entry* there = speed || tuned ? to.find(here) : nullptr;
    if (there == nullptr || told.count(here.label) > 0 || there->value.median == 0) continue;
    if (speed ? ++himeno <= 2 : ++transposes <= 1) cases.push_back(factors_text(here, *there));
  }
  return cases;
}

Section against_section(const std::vector<Side>& sides, const Problem* problem) {
  Section section{.title =
                      fmt::format("What differs between the {}s, and by what", name(sides[0].by))};
  std::set<std::string> told;
  const std::size_t rows = rows_each(7, sides.size() - 1, 3);
  if (problem != nullptr && !problem->sides.empty()) {
    const RankedSide& first = problem->sides.front();
    for (const RankedSide& side : problem->sides) {
      for (const Contender& each : side.contenders) told.insert(each.costs.entry->label);
      if (&side != &first && !one_memory_each(*problem))
        section.tables.push_back(against(*problem, side, first, rows));
    }
  }
  if (const Table alone = only_one_has(sides); !alone.rows.empty())
    section.paragraphs.push_back(
        fmt::format("Not compared, since one side alone has it: {}, such as {} on {}.",
                    counted(alone.rows.size(), "case"), alone.rows[0][1].get<std::string>(),
                    alone.rows[0][2].get<std::string>()));
  for (std::size_t s = 1; s < sides.size(); ++s) {
    const std::vector<std::string> others = other_cases(sides[s], sides[0], told);
    if (!others.empty())
      section.paragraphs.push_back(
          fmt::format("{} / {}, speeds in other cases (limits x fractions reached of them): {}.",
                      sides[s].label, sides[0].label, fmt::join(others, "; ")));
  }
  return section;
}

/// For membench alone: what the sides have in common, with its ratio.
Table measured_rates_table(const std::vector<Side>& sides) {
  constexpr std::size_t most = 14;
  Table table{.title = sides.size() > 1 ? "Ratios are to " + sides[0].label : "",
              .columns = {{"measurement"}}};
  for (const Side& side : sides) table.columns.push_back({side.label, Show::Number});
  for (std::size_t s = 1; s < sides.size(); ++s) table.columns.push_back({"ratio", Show::Times});
  for (const Entry& entry : sides.front().entries) {
    if (entry.program != "membench" || !entry.primary || entry.unit != "GB/s") continue;
    std::vector<Record> row{entry.label}, ratios;
    bool everywhere = true;
    for (const Side& side : sides) {
      const Entry* found = side.find(entry);
      everywhere = everywhere && found != nullptr;
      if (!everywhere) break;
      row.push_back(found->value.median);
      if (&side != &sides.front()) ratios.push_back(found->value.median / entry.value.median);
    }
    if (!everywhere || table.rows.size() == most) continue;
    row.insert(row.end(), ratios.begin(), ratios.end());
    table.rows.push_back(row);
  }
  return table;
}

/// Without what older files do not tell: that is no difference.
std::string known_part(std::string values) {
  const std::string gone = not_known;
  for (const std::string& each : {"; " + gone, gone + "; ", gone})
    if (const auto at = values.find(each); at != std::string::npos) values.erase(at, each.size());
  return values;
}

/// Facts of which the sides do not have the same values, as far as they are known; with one side
/// those that its runs do not share.
std::vector<std::string> fact_sentences(const std::vector<Side>& sides) {
  std::vector<std::string> facts;
  for (const auto& row : differing_facts(sides).rows) {
    std::vector<std::string> texts;
    for (std::size_t c = 1; c < row.size(); ++c) texts.push_back(known_part(row[c]));
    std::erase(texts, "");
    const std::set<std::string> different(texts.begin(), texts.end());
    const bool by_run = std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
      return text.find("; ") != std::string::npos;
    });
    if (different.size() <= 1 && (sides.size() > 1 || !by_run)) continue;
    facts.push_back(fmt::format("{} {}", row[0].get<std::string>(), fmt::join(texts, " against ")));
  }
  if (facts.empty())
    return {
        "No other setting that results carry differs (driver, clocks, revision, environment, "
        "...)."};
  return {fmt::format("{}. Any of them may be a reason.", fmt::join(facts, "; "))};
}

}  // namespace

std::vector<Section> summary_of(const std::vector<Side>& sides, const std::vector<Table>& models) {
  std::vector<Section> summary;
  Section machines{.title = "Machines"};
  for (const Side& side : sides) machines.paragraphs.push_back(machine_sentence(side));
  add(summary, machines);
  const std::vector<Problem> problems = problems_of(sides);
  if (!problems.empty()) {
    Section ranking = ranking_section(problems.front());
    ranking.paragraphs = host_sentence(sides);
    if (problems.front().step == "transpose") add_variants(sides, ranking);
    if (problems.front().contenders() == problems.front().sides.size())
      ranking.tables.push_back(other_problems(problems, 6));
    add(summary, ranking);
  } else {
    add(summary,
        {.title = "Rates measured by membench, GB/s", .tables = {measured_rates_table(sides)}});
  }
  add(summary, scaling_section(sides));
  if (sides.size() > 1)
    add(summary, against_section(sides, problems.empty() ? nullptr : &problems.front()));
  add(summary, {.title = "Throttled", .paragraphs = throttled_sides(sides)});
  add(summary,
      {.title = sides.size() > 1 ? "Facts that differ" : "Facts that differ between its runs",
       .paragraphs = fact_sentences(sides)});
  add(summary, {.title = "Model: runs predicted within 15 % of their wall time",
                .paragraphs = errors_in_words(models)});
  return summary;
}

std::vector<Table> all_rankings(const std::vector<Side>& sides) {
  std::vector<Table> tables;
  for (const Problem& problem : problems_of(sides))
    for (const RankedSide& side : problem.sides) {
      if (side.contenders.size() < 2) continue;
      Table table = ranking_table(problem, side, all_rows);
      table.title = title_of(problem) + ", " + table.title;
      tables.push_back(table);
    }
  return tables;
}

}  // namespace memstencil::compare
