// A side of the comparison: the runs of a folder, of a machine, or of a file, by case.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/sample.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::compare {

/// What makes a side: a folder that was named, or a name that was given; a machine (one where GPU,
/// processor, number of cores and site are; without a processor's name its host); or a file.
enum class By { Folder, Machine, File };
/// "folder", "machine", "file"
std::string_view name(By by);

/// Its processor; not every architecture's has a name: then its host.
std::string processor_of(const Run& run);
/// As it was typed; of a file that was named by itself the folder in which it lies.
std::string folder_of(const Run& run);

/// (Longest - shortest) / middle of the times of equal runs on one host.
struct Spread {
  double fraction = 0;
  std::size_t runs = 0;  ///< two show less than three and more
};
/// Within it two wall times are equal: the spread that was seen, at least 2 %; or 5 %.
double noise(const std::optional<Spread>& seen);
/// The one of more runs (three say more than two), and of these the greater.
std::optional<Spread> wider(const std::optional<Spread>& a, const std::optional<Spread>& b);

/// The runs of one case: at least one.
struct Group {
  Case what;
  std::vector<Sample> samples;  ///< a run each, the one in the middle by its wall time first

  /// It stands for all: every figure of the case is this run's. Of two it is the faster one.
  const Sample& middle() const { return samples.front(); }
  /// A figure of each run: the seconds of all phases, or of a step.
  using FigureOf = double (Sample::*)() const;
  std::map<std::string, std::vector<double>> by_host(FigureOf figure = &Sample::seconds) const;
  std::optional<Spread> spread(FigureOf figure = &Sample::seconds) const;
  /// The least and the most of its runs.
  std::array<double, 2> speeds() const;
};

struct Side {
  std::string name = {};  ///< differs from the other sides'
  By by = By::Machine;
  std::vector<const Run*> runs = {};
  std::set<std::string> copies = {};  ///< files that are copies of others: they are left out
  std::optional<MachineDescription> description = {};
  std::vector<Group> groups = {};  ///< in the order of the runs

  std::string gpu() const;
  /// The values of a member in the records of the runs; "" of one without it.
  std::set<std::string> values(const char* path) const;
  /// The widest spread, of the groups with the most runs; nothing where none ran twice.
  std::optional<Spread> spread() const;
};

/// Gives the sides names that differ.
void name_sides(std::vector<Side>& sides);
/// Gives each description to the sides whose machine it is of. @throws as sides_of()
void describe(std::vector<Side>& sides, const std::vector<MachineDescription>& descriptions);

/// The spread of two cases: that of their own runs; where neither ran twice, that of their sides.
std::optional<Spread> spread(const Side& side, const Group& a, const Side& other, const Group& b);

/// @param by nothing: every folder that was named is a side, and files that were named by
///   themselves are taken together by machine; or, where all are of one and two have the same case,
///   each is a side
/// @throws Failure(Usage) where a description fits no machine, or two fit one whose site names
///   neither
std::vector<Side> sides_of(const std::vector<Run>& runs,
                           const std::vector<MachineDescription>& descriptions,
                           std::optional<By> by = {});

}  // namespace memstencil::compare
