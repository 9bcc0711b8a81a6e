// A side of the comparison: the runs of one machine, or of one file where all are of one machine.
#pragma once

#include "app/common/machine/machine_description.hpp"
#include "app/compare/entry.hpp"
#include "app/compare/run.hpp"
#include "app/compare/table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::compare {

/// What makes a side: a machine; a file; or a file where all are of one machine and two of them
/// hold the same case, and otherwise a machine.
enum class By { Auto, Machine, File };
/// "auto", "machine", "file"
std::string_view name(By by);

/// Seconds of all phases.
double wall_time(const Named<double>& phases);

struct Side {
  std::string label;     ///< of columns; differs from the other sides'
  bool is_file = false;  ///< and not all files of a machine
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

/// Machines are one where GPU, processor and number of cores are: hosts of a cluster count
/// as one machine. Host memory that was asked for by different names (a build without
/// GPU has no other) is no case that two files share.
/// @throws Failure(Usage) where a description fits no machine, or two fit one
std::vector<Side> sides_of(const std::vector<Run>& runs,
                           const std::vector<MachineDescription>& descriptions, By by = By::Auto);

}  // namespace memstencil::compare
