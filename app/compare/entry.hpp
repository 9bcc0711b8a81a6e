// A figure of a run with all that another figure must share to be set beside it.
#pragma once

#include "app/common/record.hpp"
#include "app/compare/run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

struct Spread {
  double minimum = 0, median = 0, maximum = 0;
};

struct Entry {
  std::string program = {};
  std::string table = {};  ///< "himeno: speed": figures of one kind, in one unit
  Record identity = {};    ///< flat; two entries of a table are one case where their identities are equal
  std::string label = {};  ///< the identity as a person reads it
  std::string unit = {};
  Spread value = {};
  bool primary = false;                  ///< stands for its case in lists of cases
  std::optional<double> of_limit = {};   ///< fraction of the limit measured in the same run
  std::optional<double> bandwidth = {};  ///< GB/s, to be set against theory
  /// Which figures of a machine's description bound it, added up (both ways of a link); empty: none.
  std::vector<std::string> theory = {};
};

/// @throws Failure(Other) as Run's members do
std::vector<Entry> entries_of(const Run& run);

/// By program; entries_of() chooses.
std::vector<Entry> himeno_entries(const Run& run);
std::vector<Entry> transpose_entries(const Run& run);
std::vector<Entry> membench_entries(const Run& run);

/// What tells apart the himeno runs and the transpose runs besides their problem: executor, memory, pages.
Record placement_identity(const Run& run);
/// Appends what is worth a person's notice of placement_identity().
std::string placement_label(const Record& identity);

/// ", 8192 x 8192 float, by device in managed": what the variants of a transpose run share, for a person.
std::string transpose_problem_label(const Run& run);

/// Entries of one case from several runs, as one: the run in the middle, with the widest spread.
Entry merged(std::vector<Entry> same);

}  // namespace memstencil::compare
