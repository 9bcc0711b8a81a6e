// The report of compare: sections of sentences and tables, as text, Markdown or JSON.
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
  std::vector<Section> sections = {};

  /// Leaves out tables without rows, and the section where nothing is left.
  void add(Section section);
};

std::string to_text(const Report& report);
std::string to_markdown(const Report& report);
/// {schema, schema_version, program, title, sections: [{title, paragraphs, tables}]}
Record to_record(const Report& report);

}  // namespace memstencil::compare
