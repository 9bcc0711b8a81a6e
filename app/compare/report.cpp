// The report of compare: sections of sentences and tables, as text, Markdown or JSON.
#include "app/compare/report.hpp"

#include <utility>

namespace memstencil::compare {

void Report::add(Section section) {
  std::erase_if(section.tables, [](const Table& table) { return table.rows.empty(); });
  if (!section.paragraphs.empty() || !section.tables.empty()) sections.push_back(std::move(section));
}

std::string to_text(const Report& report) {
  std::string out = report.title + "\n";
  for (const Section& section : report.sections) {
    out += "\n" + section.title + "\n" + std::string(section.title.size(), '=') + "\n";
    for (const std::string& paragraph : section.paragraphs) out += "\n" + paragraph + "\n";
    for (const Table& table : section.tables) out += "\n" + to_text(table);
  }
  return out;
}

std::string to_markdown(const Report& report) {
  std::string out = "# " + report.title + "\n";
  for (const Section& section : report.sections) {
    out += "\n## " + section.title + "\n";
    for (const std::string& paragraph : section.paragraphs) out += "\n" + paragraph + "\n";
    for (const Table& table : section.tables) out += "\n" + to_markdown(table);
  }
  return out;
}

Record to_record(const Report& report) {
  Record sections = Record::array();
  for (const Section& section : report.sections) {
    Record tables = Record::array();
    for (const Table& table : section.tables) tables.push_back(to_record(table));
    sections.push_back({{"title", section.title}, {"paragraphs", section.paragraphs}, {"tables", tables}});
  }
  return {{"schema", "memstencil-comparison"},
          {"schema_version", 1},
          {"program", "compare"},
          {"title", report.title},
          {"sections", sections}};
}

}  // namespace memstencil::compare
