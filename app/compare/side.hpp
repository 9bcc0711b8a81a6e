// A side of the comparison: the runs of a folder, of a machine, or of a file.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/entry.hpp"
#include "app/compare/run.hpp"
#include "app/compare/table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::compare {

/// What makes a side. Machines are one where GPU, processor, number of cores and site are: hosts of
/// a cluster count as one machine.
enum class By { Folder, Machine, File };
/// "folder", "machine", "file"
std::string_view name(By by);

/// Seconds of all phases.
double wall_time(const Named<double>& phases);

struct Side {
  std::string label;  ///< of columns; differs from the other sides'
  By by = By::Machine;
  std::vector<const Run*> runs;
  std::optional<MachineDescription> description;
  /// One an identity in each table, in the order of the runs. Of several runs of a himeno case the
  /// one in the middle by the time of all phases stands for it in every table.
  std::vector<Entry> entries;
  /// Of himeno, of each case: the run that stands for it, and then the others.
  std::vector<std::vector<const Run*>> himeno_cases;

  /// The entry's limit by the description, in GB/s; nothing if a figure of it is not known.
  std::optional<double> theory(const Entry& entry) const;
  const Entry* find(const Entry& same) const;
};

/// @param by nothing: every folder that was named is a side, and files that were named by
///   themselves are taken together by machine
/// @throws Failure(Usage) where a description fits no machine, or two fit one whose site names
///   neither
std::vector<Side> sides_of(const std::vector<Run>& runs,
                           const std::vector<MachineDescription>& descriptions,
                           std::optional<By> by = {});

}  // namespace memstencil::compare
