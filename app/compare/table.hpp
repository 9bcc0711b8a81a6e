// A table of a report: columns with units, rows of cells, and how a cell is written.
#pragma once

#include "app/base/record/record.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// Records have seconds, columns of short times ms.
inline constexpr double milli = 1e3;

enum class Show { Text, Number, Count, Percent, Times };

struct Column {
  std::string title;
  Show show = Show::Text;
  std::string unit = {};   ///< "GB/s"; nothing for texts, fractions and ratios
  std::string group = {};  ///< a machine's name, which stands once above its columns
  bool detail = false;     ///< in JSON alone
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
/// "h100 (GB/s)"; a column without a title is headed by its unit.
std::string heading(const Column& column);
/// With the group: "h100 of limit".
std::string full_name(const Column& column);
/// The same without the columns that JSON alone has.
Table without_details(Table table);
/// The same without the columns that no row fills.
Table without_empty_columns(Table table);

/// @param width of the whole table, to which its last column is wrapped; 0: as wide as it is
std::string to_text(const Table& table, std::size_t width = 0);
std::string to_markdown(const Table& table);
/// {title, columns: [{name, unit}], rows: [{name: value}], note}, named as full_name()
/// does. The names of columns differ: of two that are equal (a file may be called "case")
/// the later is numbered, "case [2]".
Record to_record(const Table& table);

}  // namespace memstencil::compare
