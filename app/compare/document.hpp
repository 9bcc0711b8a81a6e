// The answer as a document: sentences and tables, in the order in which a person reads them; as
// text, as Markdown, and as a page with plots.
#pragma once

#include "app/base/record/record.hpp"

#include <array>
#include <string>
#include <vector>

namespace memstencil::compare {

struct Column {
  std::string member;      ///< path of it in a row of the answer; its name says how it is shown
  std::string title = {};  ///< empty: as the member, "median step" of median_step
  std::string mark = {};   ///< member: where it is true, a "~" stands before the cell
  bool text = true;        ///< it has no number: table_of() finds out
};

struct Table {
  std::string title;
  std::vector<Column> columns = {};
  std::vector<std::vector<std::string>> rows = {};  ///< cells as a person reads them
  std::string note = {};                            ///< a line under it, or nothing
  bool last_below = false;  ///< as text the last cell of a row stands under the row
};

struct Section {
  std::string title;
  std::vector<std::string> sentences = {};
  std::vector<Table> tables = {};
  std::size_t most = 12;  ///< sentences, and rows of a table, of the first screen without --full

  bool empty() const { return sentences.empty() && tables.empty(); }
};

/// The first screen, and what stands behind it.
struct Document {
  std::string title;
  std::vector<Section> first = {}, rest = {};
};

/// The rows of an array of the answer; columns that no row fills are left out, and so is a table
/// without rows. Texts and counts are shown as they are, fractions as percent, ratios as times, and
/// other numbers with four digits.
std::vector<Table> table_of(const Record& rows, const std::string& title,
                            const std::vector<Column>& columns, const std::string& note = "");

/// Of answer_of(), or of predictions_of(). It computes nothing: every figure is the answer's.
Document document_of(const Record& answer);

/// @param full false: the first part, of each section at most its `most`, and what is left out
std::string to_text(const Document& document, bool full);
std::string to_markdown(const Document& document);
/// What --only takes, and what the scripts can draw.
inline constexpr std::array plot_names{
    "speed",      "phases",   "total",  "touch",     "sweeps",     "scaling",  "model",
    "prediction", "roofline", "energy", "capacity",  "transposes", "variants", "patterns",
    "migration",  "latency",  "link",   "l2",        "peers",      "exchange", "overlap",
    "pages",      "copy",     "issue",  "registers", "atomics",    "warp"};

struct Picture {
  std::string name, title, caption;
  bool lead = false;  ///< stands above the tables of the page
  std::string svg;    ///< base64
};

/// Draws what the answer allows, by the first Python that has matplotlib.
/// @param only a plot's name; empty: all
/// @param folder is made, and gets a PNG, SVG and PDF of each; empty: for a page, without files
/// @throws Failure(Machine) where no Python has matplotlib; Failure(Other) where drawing fails, or
/// where the answer lacks what the one plot needs
std::vector<Picture> draw(const Record& answer, const std::string& only, const std::string& folder);

/// One HTML page that needs no other file: style, script and words of it are files next to the
/// program. @throws Failure(Other) where one of those is missing
std::string to_page(const Document& document, const std::vector<Picture>& pictures);

}  // namespace memstencil::compare
