// The screen's last lines: other works in a line, and all that is to be known before quoting it.
#include "app/compare/show/remarks.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/judge/best.hpp"
#include "app/compare/judge/facts.hpp"
#include "app/compare/judge/notes.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"
#include "app/compare/show/phrases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace memstencil::compare {

namespace {

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
      if (const Record ratio = row.at("to_base").value(side, Record()); ratio.is_number())
        ratios.push_back(times_text(std::pow(ratio.get<double>(), less_is_better ? -1 : 1)));
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

/// The sides with the runs of the works that the screen shows: their settings and notes matter.
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

}  // namespace

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

std::vector<std::string> know_of(const std::vector<Side>& sides,
                                 const std::vector<Problem>& problems, const Record& cases) {
  const std::vector<Side> shown = shown_sides(sides, problems);
  const Record facts = fact_rows(shown);
  const std::vector<std::string> notes = notes_of(shown, cases);
  std::vector<std::string> all;
  const std::size_t most_facts = sides.size() > 3 ? 3 : 6, most_notes = 3;
  for (const Record& fact : facts) {
    if (all.size() == most_facts) break;
    std::vector<std::string> values;
    for (const Side& side : sides) {
      const auto value = fact.at("values").at(side.name).get<std::string>();
      if (!value.empty()) values.push_back(side.name + " " + values_words(value));
    }
    all.push_back(fmt::format("{}: {}", text(fact, "fact"), fmt::join(values, "; ")));
  }
  if (facts.empty()) all.emplace_back("No recorded setting differs: build, driver, clocks, ...");
  if (facts.size() > most_facts)
    all.push_back(fmt::format("and {} more that differ (--full)", facts.size() - most_facts));
  for (std::size_t n = 0; n < std::min(most_notes, notes.size()); ++n) all.push_back(notes[n]);
  if (notes.size() > most_notes)
    all.push_back(fmt::format("and {} (--full)", counted(notes.size() - most_notes, "more note")));
  if (!problems.empty() && !problems.front().left_out.empty())
    all.push_back(fmt::format("Left out: {}.", fmt::join(problems.front().left_out, "; ")));
  return all;
}

}  // namespace memstencil::compare
