// The screen's last lines: other works in a line, and all that is to be known before quoting it;
// and the words that sentences and tables share.
#include "app/compare/show/show.hpp"

#include "app/base/record/text_report.hpp"

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

/// "NAME 1.40, -": `of` each side but the first; empty if no side has a ratio.
std::string each_side(const std::string& name, std::size_t sides,
                      const std::function<std::string(std::size_t)>& of) {
  std::vector<std::string> all;
  for (std::size_t side = 1; side < sides; ++side) all.push_back(of(side));
  if (std::ranges::count(all, "-") == std::ssize(all)) return "";
  return fmt::format("{} {}", name, fmt::join(all, ", "));
}

/// The first rate of the probe whose name has these words, as times the base's.
std::string rate_words(const Record& rates, const std::vector<std::string>& sides,
                       const std::string& name, const std::string& probe,
                       const std::string& words) {
  const auto row = std::ranges::find_if(rates, [&](const Record& each) {
    return each.at("probe") == probe && !each.at("to_base").empty() &&
           text(each, "row").find(words) != words.npos;
  });
  if (row == rates.end()) return "";
  return each_side(name, sides.size(), [&](std::size_t side) -> std::string {
    const Record ratio = row->at("to_base").value(sides[side], Record());
    if (ratio.is_null()) return "-";
    return times_text(std::pow(ratio.get<double>(), probe == "latency" ? -1 : 1));
  });
}

/// "himeno XL": without the extents of a size that has a name.
std::string short_work(std::string work) {
  if (const std::size_t open = work.find(" ("); open != work.npos)
    work.erase(open, work.find(')', open) + 1 - open);
  return work;
}

/// himeno's come first; of one work the kind of the first problem.
std::vector<const Problem*> largest_first(const std::vector<Problem>& problems) {
  std::vector<const Problem*> all;
  for (const Problem& problem : problems) all.push_back(&problem);
  std::ranges::stable_sort(all, std::greater<>(), [&](const Problem* problem) {
    return std::tuple(problem->work.starts_with("himeno"), problem->step == "sweep", problem->bytes,
                      problem->words() == problems.front().words());
  });
  return all;
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

std::string placement_words(const Case& of) {
  std::string words;
  Members others = of.settings;
  for (const auto& [key, value] : of.memory)
    if (key == "memspace")
      words = value.ends_with("memory") ? value : value + " memory";
    else if (key == "first_touch")
      words += " filled by the " + value;
    else if (key == "prefetch")
      words += " with a prefetch";
    else
      others.emplace_back(key, value);
  return words + (others.empty() ? "" : ", " + joined(others));
}

std::string work_words(const Ranked& row) {
  return fmt::format("{}, {} {}s", short_work(task_of(*row.group, false)), row.steps,
                     row.sample().step);
}

std::string ranks_words(const Sample& sample) {
  return counted(sample.ranks,
                 sample.by_gpu() && sample.processors == sample.ranks ? "GPU" : "rank");
}

const Problem* scaled_work(const std::vector<Problem>& problems) {
  std::vector<const Problem*> all = largest_first(problems);
  all.insert(all.begin(), &problems.front());
  const auto found = std::ranges::find_if(all, [&](const Problem* each) {
    return std::ranges::any_of(problems, [&](const Problem& other) {
      return other.work == each->work && other.ranks != each->ranks;
    });
  });
  return found == all.end() ? nullptr : *found;
}

std::string also_of(const std::vector<Problem>& problems, const std::vector<std::string>& sides,
                    const Record& rates) {
  if (sides.size() < 2) return "";
  std::vector<std::string> all;
  std::set<std::string> known{problems.empty() ? "" : problems.front().work};
  std::map<std::string, std::size_t> of_program;
  for (const Problem* problem : largest_first(problems)) {
    if (problem->ranks > 1 || known.contains(problem->work)) continue;
    const std::string program = problem->work.substr(0, problem->work.find(' '));
    const bool headlined = problems.front().work.starts_with(program);
    if (of_program[program] == (headlined ? 2U : 1U)) continue;
    const bool another = problem->step == "sweep" && problem->words() != problems.front().words();
    const std::string words = each_side(
        short_work(problem->work) + (another ? " (" + problem->words() + ")" : ""), sides.size(),
        [&](std::size_t side) -> std::string {
          const auto like = like_with_like(problems, side, problem);
          const Ratio ratio = like ? times_as_fast(*like->here, *like->there) : Ratio();
          if (!ratio.measured()) return "-";
          return ratio.told() ? times_text(ratio.value) : "(" + times_text(ratio.value) + ")";
        });
    if (words.empty()) continue;
    ++of_program[program];
    known.insert(problem->work);
    all.push_back(words);
  }
  for (const std::string& each :
       {rate_words(rates, sides, "link to the GPU", "link", "pinned, HtoD, copy engine"),
        rate_words(rates, sides, "latency of device memory", "latency",
                   "global, device, device, memory")})
    if (!each.empty()) all.push_back(each);
  if (all.empty()) return "";
  const std::vector<std::string> others(sides.begin() + 1, sides.end());
  return fmt::format("Also, how many times as fast as {} {} {}: {}.", sides[0],
                     others.size() > 1 ? "are" : "is", fmt::join(others, ", "),
                     fmt::join(all, "; "));
}

std::vector<std::string> know_of(const std::vector<Side>& sides,
                                 const std::vector<Problem>& problems) {
  const std::vector<Side> shown = shown_sides(sides, problems);
  const Record facts = fact_rows(shown, true);
  std::vector<std::string> all;
  const auto add = [&](const std::vector<std::string>& lines, std::size_t most, const char* more) {
    const std::size_t shown_lines = std::min(most, lines.size());
    all.insert(all.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown_lines));
    if (lines.size() > most)
      all.push_back(fmt::format("and {} (--full)", counted(lines.size() - most, more)));
  };
  add(sentences_of(facts), sides.size() > 3 ? 3 : 6, "more setting");
  if (facts.empty()) all.emplace_back("No recorded setting differs: build, driver, clocks, ...");
  add(notes_of(shown), 3, "more note");
  if (!problems.empty() && !problems.front().left_out.empty())
    all.push_back(fmt::format("Left out: {}.", fmt::join(problems.front().left_out, "; ")));
  return all;
}

}  // namespace memstencil::compare
