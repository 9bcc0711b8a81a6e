// Notes on the runs: all that is unusual about them.
#include "app/compare/judge/judge.hpp"

#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

namespace memstencil::compare {

namespace {

/// At most so many of them, and "others".
std::string listed(std::vector<std::string> items, std::size_t most, const char* between) {
  if (items.size() > most) items.resize(most), items.emplace_back("others");
  return fmt::format("{}", fmt::join(items, between));
}

/// Hosts of a side that are slower or faster than the others.
void hosts_that_fall_out(const Side& side, std::vector<std::string>& notes) {
  constexpr double far = 0.05;
  for (const Group& group : side.groups) {
    std::map<std::string, std::vector<double>> of_hosts;
    for (const Sample& each : group.samples)
      of_hosts[text_or(each.run->record, "machine.hostname")].push_back(each.seconds());
    if (of_hosts.size() < 3) continue;  // of two either may be right
    std::vector<double> middles;
    for (const auto& [host, times] : of_hosts) middles.push_back(membench::median(times));
    const double usual = membench::median(middles);
    for (const auto& [host, times] : of_hosts)
      if (const double off = membench::median(times) / usual - 1; std::abs(off) > far)
        notes.push_back(fmt::format("{}: host {} takes {} {} than most of {} hosts ({})", side.name,
                                    host, percent(std::abs(off)), off > 0 ? "longer" : "less time",
                                    of_hosts.size(), label(group.what)));
  }
}

/// Runs whose clocks were held down, of which cases, and why.
void throttled(const Side& side, std::vector<std::string>& notes) {
  std::set<const Run*> told, held;
  std::set<std::string> reasons;
  nlohmann::ordered_map<std::string, std::set<const Run*>> cases;
  for (const Group& group : side.groups)
    for (const Sample& sample : group.samples) {
      const Record* why =
          sample.energy == nullptr ? nullptr : find(*sample.energy, "gpus.throttled");
      if (why == nullptr || !why->is_array()) continue;
      told.insert(sample.run);
      for (const Record& each : *why) reasons.insert(plain_text(each));
      if (why->empty()) continue;
      held.insert(sample.run);
      cases[problem_label(group.what)].insert(sample.run);
    }
  if (held.empty()) return;
  std::vector<std::string> of;
  for (const auto& [problem, runs] : cases)
    of.push_back(fmt::format("{} of {}", runs.size(), problem));
  notes.push_back(fmt::format(
      "{}: in {} of {} runs the GPU's clocks were held down ({}), and so was its speed: {}.",
      side.name, held.size(), told.size(), fmt::join(reasons, ", "), listed(of, 4, "; ")));
}

/// Points of probes whose samples never agreed within 5 %, by probe.
void not_settled(const Side& side, std::vector<std::string>& notes) {
  std::map<std::string, std::array<int, 2>> points;  // of a probe: open, all
  for (const Run* run : side.runs)
    for (const ProbeRow& row : run->probe_rows)
      if (row.row.has("stopped")) {
        auto& [open, all] = points[row.probe];
        ++all;
        open += row.row.text("stopped").starts_with("not ") ? 1 : 0;  // "not met" in older results
      }
  std::vector<std::pair<std::string, std::array<int, 2>>> worst(points.begin(), points.end());
  std::erase_if(worst, [](const auto& probe) { return probe.second[0] == 0; });
  std::ranges::stable_sort(worst, std::greater<>(), [](const auto& p) { return p.second[0]; });
  if (worst.empty()) return;
  std::vector<std::string> of;
  for (const auto& [probe, counts] : worst)
    of.push_back(fmt::format("{} of {} points of {}", counts[0], counts[1], probe));
  notes.push_back(fmt::format("{}: the 95 % half-width stayed over 5 % in {}.", side.name,
                              listed(of, 3, ", ")));
}

/// Copies of files, ranks that MPI knew alone though a launcher had started them together, and
/// runs during which the process or the machine stood still.
void no_repeats(const Side& side, std::vector<std::string>& notes) {
  if (!side.copies.empty())
    notes.push_back(fmt::format("{}: copies of other files count once: {}.", side.name,
                                fmt::join(side.copies, ", ")));
  constexpr std::pair<const char*, const char*> of_members[]{
      {"provenance.lone_rank_of",
       "are single ranks that a launcher started with others and MPI knew alone: where they ran at "
       "once, their figures are low, and they are no repeats"},
      {"pause", "stood still for more than 1 s (stopped, or suspended)"}};
  for (const auto& [member, words] : of_members) {
    const auto count = std::ranges::count_if(side.runs, [&path = member](const Run* run) {
      const Record* found = find(run->record, path);
      return found != nullptr && *found != 0;
    });
    if (count > 0)
      notes.push_back(
          fmt::format("{}: {} of {} runs {}.", side.name, count, side.runs.size(), words));
  }
}

}  // namespace

std::vector<std::string> notes_of(const std::vector<Side>& sides) {
  std::vector<std::string> notes, hosts;
  for (const Side& side : sides)
    if (!side.groups.empty() && std::ranges::none_of(side.groups, [](const Group& group) {
          return group.middle().by_gpu() || group.middle().space;
        }))
      hosts.push_back(side.name);
  if (!hosts.empty())
    notes.push_back(
        fmt::format("No GPU computed on {}: all memory spaces are the same pages of the host's "
                    "memory there, and count as one.",
                    fmt::join(hosts, ", ")));
  for (const Side& side : sides) {
    no_repeats(side, notes);
    hosts_that_fall_out(side, notes);
    throttled(side, notes);
    not_settled(side, notes);
  }
  return notes;
}

}  // namespace memstencil::compare
