// The report of compare: the summary, then sections of sentences and
// tables, as text, Markdown or JSON.
#include "app/compare/report.hpp"

#include "app/base/record/text_report.hpp"

#include <fmt/format.h>

#include <utility>

namespace memstencil::compare {

namespace {

/// Characters of a line of the summary.
constexpr std::size_t screen_width = 100;

std::string summary_text(const Section& section) {
  std::string out = "\n" + wrapped(section.title, screen_width) + "\n";
  for (const std::string& paragraph : section.paragraphs)
    out += "- " + indented(wrapped(paragraph, screen_width - 2), 2) + "\n";
  for (std::size_t n = 0; n < section.tables.size(); ++n)
    out += (n == 0 ? "" : "\n") + to_text(section.tables[n], screen_width);
  return out;
}

std::string section_text(const Section& section) {
  std::string out = "\n" + section.title + "\n" + std::string(section.title.size(), '=') + "\n";
  for (const std::string& paragraph : section.paragraphs)
    out += "\n" + wrapped(paragraph, screen_width) + "\n";
  for (const Table& table : section.tables) out += "\n" + to_text(table);
  return out;
}

std::string section_markdown(const Section& section) {
  std::string out = "\n## " + section.title + "\n";
  for (const std::string& paragraph : section.paragraphs) out += "\n" + paragraph + "\n";
  for (const Table& table : section.tables) out += "\n" + to_markdown(table);
  return out;
}

Record section_record(const Section& section) {
  Record tables = Record::array();
  for (const Table& table : section.tables) tables.push_back(to_record(table));
  return {{"title", section.title}, {"paragraphs", section.paragraphs}, {"tables", tables}};
}

std::string left_out(const Report& report) {
  std::size_t rows = 0;
  for (const Section& section : report.sections)
    for (const Table& table : section.tables) rows += table.rows.size();
  return fmt::format(
      "Left out: {} rows of tables. --full prints them, --html FILE makes a page of all.\n", rows);
}

}  // namespace

void add(std::vector<Section>& sections, Section section) {
  std::erase_if(section.tables, [](const Table& table) { return table.rows.empty(); });
  if (!section.paragraphs.empty() || !section.tables.empty())
    sections.push_back(std::move(section));
}

std::string to_text(const Report& report, Extent extent) {
  std::string out = wrapped(report.title, screen_width) + "\n";
  for (const Section& section : report.summary) out += summary_text(section);
  if (extent == Extent::Summary)
    return report.sections.empty() ? out : out + "\n" + left_out(report);
  for (const Section& section : report.sections) out += section_text(section);
  return out;
}

std::string to_markdown(const Report& report) {
  std::string out = "# " + report.title + "\n";
  for (const auto* part : {&report.summary, &report.sections})
    for (const Section& section : *part) out += section_markdown(section);
  return out;
}

Record to_record(const Report& report) {
  Record summary = Record::array(), sections = Record::array();
  for (const Section& section : report.summary) summary.push_back(section_record(section));
  for (const Section& section : report.sections) sections.push_back(section_record(section));
  return {{"schema", "memstencil-comparison"},
          {"schema_version", 1},
          {"program", "memcompare"},
          {"title", report.title},
          {"summary", summary},
          {"sections", sections}};
}

}  // namespace memstencil::compare
