// Tables and sections of a report, drawn from the answer: as text and as Markdown.
#pragma once

#include "app/base/record/record.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace memstencil::compare {

struct Column {
  std::string member;      ///< path of it in a row of the answer; its name says how it is shown
  std::string title = {};  ///< empty: as the member, "median step" of median_step
  bool text = true;        ///< it has no number: table_of() finds out
};

struct Table {
  std::string title;
  std::vector<Column> columns = {};
  std::vector<std::vector<std::string>> rows = {};  ///< cells as a person reads them
  std::string note = {};                            ///< a line under it, or nothing
};

struct Section {
  std::string title;
  std::vector<std::string> sentences = {};
  std::vector<Table> tables = {};
  std::size_t most = 12;  ///< sentences, and rows of a table, without --full

  bool empty() const { return sentences.empty() && tables.empty(); }
  bool is_long() const { return !tables.empty() && tables.front().rows.size() > 2 * most; }
};

/// The rows of an array of the answer; columns that no row fills are left out, and so is a table
/// without rows. Texts and counts are shown as they are, fractions as percent, ratios as times, and
/// other numbers with four digits.
std::vector<Table> table_of(const Record& rows, const std::string& title,
                            const std::vector<Column>& columns, const std::string& note = "");

/// @param full false: of each section at most its `most`, and the number that is left out
std::string to_text(const std::vector<Section>& sections, bool full);
std::string to_markdown(const std::vector<Section>& sections);

}  // namespace memstencil::compare
