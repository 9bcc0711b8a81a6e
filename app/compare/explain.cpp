// Reasons in numbers why sides differ: limits and fractions, times by cause, the cost of a memory space.
#include "app/compare/explain.hpp"

#include "app/common/record/text_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace memstencil::compare {

namespace {

/// The limit that the fraction is of, in GB/s.
std::optional<double> limit_of(const Entry& entry) {
  if (!entry.of_limit || !entry.bandwidth || *entry.of_limit <= 0) return std::nullopt;
  return *entry.bandwidth / *entry.of_limit;
}

/// The seconds of a himeno run by cause.
struct Parts {
  std::string label;         ///< of the case
  std::string problem = {};  ///< the case without its memory
  std::string memory = {};   ///< and that memory
  double allocate = 0, initialise = 0, transfer = 0, pace = 0, beyond = 0, ranks = 0, free = 0;
  double total() const { return allocate + initialise + transfer + pace + beyond + ranks + free; }
};

bool shorter(const Parts& a, const Parts& b) { return a.total() < b.total(); }

/// `of`: the entry of the run's case.
Parts parts_of(const himeno::Result& run, const Entry& of) {
  Parts parts{.label = full_label(of)};
  parts.memory = placement_label(of.identity).substr(2);
  parts.problem = fmt::format("{}, {} x {}, {} ranks", run.size, run.sweep, run.iterations,
                              text_of(of.identity, "ranks"));
  parts.allocate = run.phases.at("allocate");
  parts.initialise = run.phases.at("initialise");
  parts.transfer = run.phases.at("upload") + run.phases.at("download");
  parts.ranks = run.phases.at("halo") + run.phases.at("reduce");
  parts.free = run.phases.at("free");
  const double sweeps = run.phases.at("sweeps");
  parts.pace = std::min(sweeps, run.sweep_seconds.spread.median * static_cast<double>(run.iterations));
  parts.beyond = sweeps - parts.pace;
  return parts;
}

/// Of each case the run in the middle, in the order of the side's entries.
std::vector<Parts> himeno_parts(const Side& side) {
  std::map<const Entry*, std::vector<Parts>> cases;
  for (const Run* run : side.runs) {
    const auto* result = run->as<himeno::Result>();
    if (result == nullptr) continue;
    const Entry* of = side.find(entries_of(*result).front());
    cases[of].push_back(parts_of(*result, *of));
  }
  std::vector<Parts> all;
  for (auto& [of, runs] : cases) {
    std::stable_sort(runs.begin(), runs.end(), shorter);
    all.push_back(runs[(runs.size() - 1) / 2]);
  }
  return all;
}

}  // namespace

Table why_they_differ(const std::vector<Side>& sides) {
  Table table{.title = "Why they differ: ratio of speeds = ratio of limits x ratio of fractions",
              .columns = {{"case"},
                          {"of"},
                          {"to"},
                          {"speeds", Show::Times},
                          {"limits", Show::Times},
                          {"fractions", Show::Times},
                          {"limit", Show::Number, "GB/s"},
                          {"limit it is set against", Show::Number, "GB/s"}},
              .note = "Limits are those that each run measured for its own memory or link."};
  for (const Entry& first : sides.front().entries)
    for (std::size_t s = 1; s < sides.size(); ++s) {
      const Entry* other = sides[s].find(first);
      const auto limit = limit_of(first), other_limit = other == nullptr ? std::nullopt : limit_of(*other);
      if (!limit || !other_limit) continue;
      table.rows.push_back({full_label(first), sides[s].label, sides[0].label,
                            *other->bandwidth / *first.bandwidth, *other_limit / *limit,
                            *other->of_limit / *first.of_limit, *other_limit, *limit});
    }
  return table;
}

Table where_time_goes(const std::vector<Side>& sides) {
  Table table{.title = "Where himeno's time goes",
              .columns = {{"machine"},
                          {"case"},
                          {"all phases", Show::Number, "s"},
                          {"allocate", Show::Percent},
                          {"initialise", Show::Percent},
                          {"up and download", Show::Percent},
                          {"sweeps at their median", Show::Percent},
                          {"sweeps beyond it", Show::Percent},
                          {"halo, reduce", Show::Percent},
                          {"free", Show::Percent}},
              .note =
                  "Beyond it: what the sweeps took more than their median allows. Migration in the first "
                  "sweeps stands there."};
  for (const Side& side : sides)
    for (const Parts& p : himeno_parts(side)) {
      const double all = p.total();
      table.rows.push_back({side.label, p.label, all, p.allocate / all, p.initialise / all, p.transfer / all,
                            p.pace / all, p.beyond / all, p.ranks / all, p.free / all});
    }
  return table;
}

std::vector<std::string> memory_spaces_in_words(const std::vector<Side>& sides) {
  std::vector<std::string> sentences;
  for (const Side& side : sides) {
    std::map<std::string, std::vector<Parts>> problems;
    for (const Parts& parts : himeno_parts(side)) problems[parts.problem].push_back(parts);
    for (auto& [problem, spaces] : problems) {
      std::stable_sort(spaces.begin(), spaces.end(), shorter);
      std::vector<std::string> others;
      std::set<std::string> told{spaces[0].memory};
      for (const Parts& space : spaces)
        if (told.insert(space.memory).second)
          others.push_back(
              fmt::format("{} {:.3g} times as long", space.memory, space.total() / spaces[0].total()));
      if (others.empty()) continue;
      sentences.push_back(fmt::format("{}, himeno {}, all phases: {} takes {}; {}.", side.label, problem,
                                      spaces[0].memory, seconds_text(spaces[0].total()),
                                      fmt::join(others, ", ")));
    }
  }
  return sentences;
}

}  // namespace memstencil::compare
