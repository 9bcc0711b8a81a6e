// Published figures and our results next to them: inputs/reference/*.toml.
#pragma once

#include "app/compare/side.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// A published figure, or a range where low and high differ; without an upper end high is infinite.
struct PublishedFigure {
  std::string program, probe;        ///< the probe of membench
  Record where;                      ///< members that a result has to have
  std::optional<Record> minus = {};  ///< then it is the difference to the result with these members
  std::optional<Record> over = {};   ///< then it is the ratio over it
  double low = 0, high = 0;
  std::string column = {};  ///< of membench's row: "steady_gbs"; empty: the row's figure
  std::string unit, note;
};

struct Reference {
  std::string name, title, source;
  std::vector<PublishedFigure> figures = {};
};

/// @throws Failure(Usage) with one line that names the file, the line and what is valid
Reference read_reference(const std::string& path);

/// Each published figure next to those of ours that have its members, or alone.
Record published_rows(const std::vector<Reference>& references, const std::vector<Side>& sides);

}  // namespace memstencil::compare
