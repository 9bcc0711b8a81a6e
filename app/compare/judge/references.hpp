// Published figures as their files give them, and our results next to them.
#pragma once

#include "app/compare/read/side.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// A published figure, or a range where low and high differ; without an upper end high is infinite.
struct PublishedFigure {
  /// As the answer has it, without a result of ours: that has to be of its `program` and `probe`
  /// (of membench), with the members of `where`.
  Record row = {};
  /// Then it is the difference to the result with these members, or the ratio over it.
  std::optional<Record> against = {};
  double low = 0, high = 0;
  std::string column =
      {};  ///< of membench's row: "steady_gbs"; otherwise the unit, the row's figure
};

struct Reference {
  std::string name;
  std::vector<PublishedFigure> figures = {};
};

/// @throws Failure(Usage) with one line that names the file, the line and what is valid
Reference read_reference(const std::string& path);

/// Each published figure next to those of ours that have its members, or alone.
Record published_rows(const std::vector<Reference>& references, const std::vector<Side>& sides);

}  // namespace memstencil::compare
