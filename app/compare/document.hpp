// The answer as a document: sentences and tables, in the order in which a person reads them; as
// text and as Markdown.
#pragma once

#include "app/base/record/record.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

enum class Show { Text, Number, Count, Percent, Times };

struct Column {
  std::string member;  ///< path of it in a row of the answer
  std::string title;
  Show show = Show::Text;
  std::string group = {};  ///< a side's name, which stands once above its columns
  std::string key = {};    ///< of the member's object: a side's name, which may have dots
};

/// Cells are texts, numbers (fractions of 1 under Percent) or null.
struct Table {
  std::string title;
  std::vector<Column> columns = {};
  std::vector<std::vector<Record>> rows = {};
  std::string note = {};  ///< a line under it, or nothing
};

struct Section {
  std::string title;
  std::vector<std::string> sentences = {};
  std::vector<Table> tables = {};

  bool empty() const { return sentences.empty() && tables.empty(); }
};

/// The first screen, and what stands behind it.
struct Document {
  std::string title;
  std::vector<Section> first = {}, rest = {};

  std::size_t rows_of_rest() const;
};

/// The rows of an array of the answer; columns that no row fills are left out, and so is a table
/// without rows.
std::vector<Table> table_of(const Record& rows, const std::string& title,
                            const std::vector<Column>& columns, const std::string& note = "");

/// Four significant digits: "1716", "54.83", "0.8491", "1.2e-05".
std::string number_text(double value);
/// The column's cell in such a row; null where there is none.
const Record* cell_of(const Record& row, const Column& column);
/// As a person reads it; nothing for null.
std::string cell_text(const Column& column, const Record& cell);

/// Of answer_of(), or of predictions_of(). It computes nothing: every figure is the answer's.
Document document_of(const Record& answer);

/// @param full false: the first screen, and a line that says what is left out
std::string to_text(const Document& document, bool full);
std::string to_markdown(const Document& document);

}  // namespace memstencil::compare
