// A table of a report: columns with units, rows of cells, and how a cell is written.
#pragma once

#include "app/common/record/record.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// Records have seconds, columns of short times ms.
inline constexpr double milli = 1e3;

enum class Show { Text, Number, Count, Percent, Times };

struct Column {
  std::string title;
  Show show = Show::Text;
  std::string unit = {};  ///< "GB/s"; nothing for texts, fractions and ratios
};

/// Cells are texts, numbers (fractions of 1 under Percent) or null.
struct Table {
  std::string title;
  std::vector<Column> columns = {};
  std::vector<std::vector<Record>> rows = {};
  std::string note = {};  ///< a line under it, or nothing
};

/// Four significant digits: "1716", "54.83", "0.8491", "1.2e-05".
std::string number_text(double value);
/// As a person reads it; nothing for null.
std::string cell_text(const Column& column, const Record& cell);
/// "h100 (GB/s)".
std::string heading(const Column& column);

std::string to_text(const Table& table);
std::string to_markdown(const Table& table);
/// {title, columns: [{name, unit}], rows: [{name: value}], note}. The names of columns differ: of two titles
/// that are equal (a file may be called "case") the later is numbered, "case [2]".
Record to_record(const Table& table);

}  // namespace memstencil::compare
