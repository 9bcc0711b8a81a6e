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
#include <vector>

namespace memstencil::compare {

/// More are no longer read side by side.
inline constexpr std::size_t most_sides = 8;

/// The runs of one case: at least one.
struct Group {
  Case what;
  std::vector<Sample> samples;  ///< a run each, the one in the middle by its wall time first

  /// It stands for all: every figure of the case is this run's. Of two it is the faster one.
  const Sample& middle() const { return samples.front(); }
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
};

/// Runs of membench by GPU: those with the same --numa and --gpu, without these if there are any.
std::map<std::string, std::vector<const Run*>> runs_of_probes(std::vector<const Run*> runs);

/// Every folder and every file that was named is a side, and all of one NAME=PATH are one.
/// @throws Failure(Usage) for more than most_sides; where a description fits no machine, or two fit
///   one whose site names neither
std::vector<Side> sides_of(const std::vector<Run>& runs,
                           const std::vector<MachineDescription>& descriptions);

}  // namespace memstencil::compare
