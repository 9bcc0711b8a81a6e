// A side of the comparison: the runs of a folder, of a file, or of a name, by case.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/read/sample.hpp"
#include "app/compare/read/tree.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::compare {

/// More are no longer read side by side.
inline constexpr std::size_t most_sides = 8;

/// (Longest - shortest) / middle of the times of equal runs on one host.
struct Spread {
  double fraction = 0;
  std::size_t runs = 0;  ///< two show less than three and more
};
/// Within it two wall times are equal: the spread that was seen, at least 2 %; or 5 %.
inline double noise(const std::optional<Spread>& seen) {
  constexpr double assumed = 0.05, least = 0.02;  // runs that happen to agree prove no more
  return seen ? std::max(seen->fraction, least) : assumed;
}
/// The one of more runs (three say more than two), and of these the greater.
inline std::optional<Spread> wider(const std::optional<Spread>& a, const std::optional<Spread>& b) {
  if (!a || !b) return a ? a : b;
  return std::pair(a->runs > 2, a->fraction) < std::pair(b->runs > 2, b->fraction) ? b : a;
}

/// The runs of one case: at least one.
struct Group {
  Case what;
  std::vector<Sample> samples;  ///< a run each, the one in the middle by its wall time first

  /// It stands for all: every figure of the case is this run's. Of two it is the faster one.
  const Sample& middle() const { return samples.front(); }
  /// A figure of each run: the seconds of all phases, or of a step.
  using FigureOf = double (Sample::*)() const;
  std::map<std::string, std::vector<double>> by_host(FigureOf figure = &Sample::seconds) const {
    std::map<std::string, std::vector<double>> hosts;
    for (const Sample& each : samples)
      hosts[text_or(each.run->record, "machine.hostname")].push_back((each.*figure)());
    return hosts;
  }
  std::optional<Spread> spread(FigureOf figure = &Sample::seconds) const {
    std::optional<Spread> widest;
    for (const auto& [host, times] : by_host(figure)) {
      if (times.size() < 2) continue;
      const auto [least, most] = std::ranges::minmax(times);
      widest = wider(widest, Spread{(most - least) / membench::median(times), times.size()});
    }
    return widest;
  }
  /// The least and the most of its runs.
  std::array<double, 2> speeds() const {
    const auto [least, most] = std::ranges::minmax_element(samples, {}, &Sample::speed);
    return {least->speed, most->speed};
  }
};

struct Side {
  std::string name = {};  ///< differs from the other sides'
  std::vector<const Run*> runs = {};
  std::set<std::string> copies = {};  ///< files that are copies of others: they are left out
  std::optional<MachineDescription> description = {};
  std::vector<Group> groups = {};  ///< in the order of the runs

  std::string gpu() const { return text_or(runs.front()->record, "machine.gpu.name"); }
  /// The values of a member in the records of the runs; "" of one without it.
  std::set<std::string> values(const char* path) const {
    std::set<std::string> all;
    for (const Run* run : runs) all.insert(text_or(run->record, path));
    return all;
  }
  /// The widest spread, of the groups with the most runs; nothing where none ran twice.
  std::optional<Spread> spread() const {
    std::optional<Spread> widest;
    for (const Group& group : groups) widest = wider(widest, group.spread());
    return widest;
  }
};

/// Gives the sides names that differ.
void name_sides(std::vector<Side>& sides);
/// Gives each description to the sides whose machine it is of. @throws as sides_of()
void describe(std::vector<Side>& sides, const std::vector<MachineDescription>& descriptions);

/// The spread of two cases: that of their own runs; where neither ran twice, that of their sides.
std::optional<Spread> spread(const Side& side, const Group& a, const Side& other, const Group& b);

/// Every folder and every file that was named is a side, and all of one NAME=PATH are one.
/// @throws Failure(Usage) for more than most_sides; where a description fits no machine, or two fit
///   one whose site names neither
std::vector<Side> sides_of(const std::vector<Run>& runs,
                           const std::vector<MachineDescription>& descriptions);

}  // namespace memstencil::compare
