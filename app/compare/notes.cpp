// What is strange about the runs, in a line each.
#include "app/base/record/text_report.hpp"
#include "app/compare/answer.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace memstencil::compare {

namespace {

/// Hosts of a side that are slower or faster than the others by more than the spread.
void hosts_that_fall_out(const Side& side, std::vector<std::string>& notes) {
  for (const Group& group : side.groups) {
    std::map<std::string, std::vector<double>> of_hosts;
    for (const Sample& each : group.samples)
      of_hosts[text_or(each.run->record, "machine.hostname")].push_back(each.seconds());
    if (of_hosts.size() < 3) continue;  // of two nobody knows which one is right
    std::vector<double> middles;
    for (const auto& [host, times] : of_hosts) middles.push_back(median_of(times));
    const double usual = median_of(middles);
    for (const auto& [host, times] : of_hosts)
      if (const double off = median_of(times) / usual - 1; std::abs(off) > noise(group.spread()))
        notes.push_back(fmt::format("{}: host {} takes {:+.1f} % of the time of the {} others ({})",
                                    side.name, host, 100 * off, of_hosts.size() - 1,
                                    label(group.what)));
  }
}

/// Runs whose clocks were held down, and why.
void throttled(const Side& side, std::vector<std::string>& notes) {
  std::set<const Run*> told, held;
  std::set<std::string> reasons;
  for (const Group& group : side.groups)
    for (const Sample& sample : group.samples) {
      const Record* energy = energy_of(sample);
      const Record* why = energy == nullptr ? nullptr : find(*energy, "gpus.throttled");
      if (why == nullptr || !why->is_array()) continue;
      told.insert(sample.run);
      for (const Record& each : *why) reasons.insert(plain_text(each));
      if (!why->empty()) held.insert(sample.run);
    }
  if (!held.empty())
    notes.push_back(fmt::format(
        "{}: in {} of {} runs the GPU's clocks were held down ({}), and so was its speed.",
        side.name, held.size(), told.size(), fmt::join(reasons, ", ")));
}

/// The case that exceeds the described theory by most.
void above_theory(const Side& side, const Record& cases, std::vector<std::string>& notes) {
  double most = 1.05;  // so much is allowed
  const Record* worst = nullptr;
  for (const Record& row : cases) {
    // Fused sweeps read an array once for several sweeps: more than the theory is their point.
    const bool fused = text(row, "problem").find("temporal") != std::string::npos;
    if (row.at("side") != side.name || fused || number_or(row, "fraction_of_theory", 0) <= most)
      continue;
    most = number(row, "fraction_of_theory");
    worst = &row;
  }
  if (worst != nullptr)
    notes.push_back(
        fmt::format("{}: {}: {:.0f} GB/s are {:.2f} times the theory of {}: arrays "
                    "that fit a cache, or the description of another machine.",
                    side.name, text(*worst, "case"), number(*worst, "bandwidth_gbs"), most,
                    side.description->name));
}

}  // namespace

std::vector<std::string> notes_of(const std::vector<Side>& sides, const Record& cases) {
  std::vector<std::string> notes, hosts;
  for (const Side& side : sides)
    if (std::any_of(side.groups.begin(), side.groups.end(), [](const Group& group) {
          return value_of(group.what.memory, "memspace") == "host memory";
        }))
      hosts.push_back(side.name);
  if (!hosts.empty())
    notes.push_back(
        fmt::format("No GPU computed on {}: all four memory spaces are the same pages of the "
                    "host's memory there, and count as one.",
                    fmt::join(hosts, ", ")));
  for (const Side& side : sides) {
    hosts_that_fall_out(side, notes);
    throttled(side, notes);
    above_theory(side, cases, notes);
  }
  return notes;
}

}  // namespace memstencil::compare
