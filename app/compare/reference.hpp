// Published figures that results are set beside: inputs/reference/*.toml.
#pragma once

#include "app/compare/entry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// A published figure, or a range where low and high differ; without an upper end high is infinite.
struct PublishedFigure {
  std::string program;  ///< "himeno", "transpose", "membench"
  Record where;  ///< members of the identities it is set beside; a probe stands under "probe"
  /// The other memory whose result it is set beside, with a mark, where a side has none of `where`.
  Record beside = Record::object();
  std::optional<Record> minus = {};  ///< then it is the difference to the figure with this identity
  std::optional<Record> over = {};   ///< then it is the ratio over the figure with this identity
  double low = 0, high = 0;
  bool settled = false;  ///< of a series whose first repeats move pages: the level after these
  std::string unit, note;

  /// Is the entry of this kind, and does it agree with these members?
  bool fits(const Entry& entry, const Record& members) const;
  /// "310.0 to 360.0", "at least 310.0"
  std::string range() const;
};

struct Reference {
  std::string name, title, source;
  std::vector<PublishedFigure> figures = {};
};

/// @throws Failure(Usage) with one line that names the file, the line and what is valid
Reference read_reference(const std::string& path);

}  // namespace memstencil::compare
