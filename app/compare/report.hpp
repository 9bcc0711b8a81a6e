// The report of compare: the summary, then sections of sentences and
// tables, as text, Markdown or JSON.
#pragma once

#include "app/compare/table.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

struct Section {
  std::string title;
  std::vector<std::string> paragraphs = {};
  std::vector<Table> tables = {};
};

struct Report {
  std::string title;
  std::vector<Section> summary = {};  ///< the answer, which stands first
  std::vector<Section> sections = {};
};

/// Leaves out tables without rows, and the section where nothing is left.
void add(std::vector<Section>& sections, Section section);

enum class Extent {
  Summary,  ///< and a line that says what is left out
  Full
};

std::string to_text(const Report& report, Extent extent);
std::string to_markdown(const Report& report);
/// {schema, schema_version, program, title, summary: [{title, paragraphs,
/// tables}], sections: [the same]}
Record to_record(const Report& report);

}  // namespace memstencil::compare
