// Published figures that results are set beside: inputs/reference/*.toml.
#pragma once

#include "app/compare/side.hpp"
#include "app/compare/table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// A published figure, or a range where low and high differ; without an upper end high is infinite.
struct PublishedFigure {
  std::string program;  ///< "himeno", "transpose", "membench"
  Record where;  ///< members of the identities it is set beside; a probe stands under "probe"
  std::optional<Record> minus = {};  ///< then it is the difference to the figure with this identity
  std::optional<Record> over = {};   ///< then it is the ratio over the figure with this identity
  double low = 0, high = 0;
  bool settled = false;  ///< of a series whose first repeats move pages: the level after these
  std::string unit, note;

  /// A figure by itself, no difference and no ratio.
  bool is_level() const { return !minus && !over; }
  /// Is the entry one of those that the figure is to be set beside?
  bool fits(const Entry& entry, const Record& members) const;
};

struct Reference {
  std::string name, title, source;
  std::vector<PublishedFigure> figures = {};
};

/// @throws Failure(Usage) with one line that names the file, the line and what is valid
Reference read_reference(const std::string& path);

/// Each published figure with the figures of ours that it fits, in their unit.
Table published_table(const Reference& reference, const std::vector<Side>& sides);

}  // namespace memstencil::compare
