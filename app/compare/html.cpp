// The report as one HTML file that needs nothing else: summary, the three plots that say most, and
// behind them folded tables and all other plots.
#include "app/compare/html.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/page.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::compare {

namespace {

/// A report of so few rows is shown open.
constexpr std::size_t few_rows = 40;

/// A number and its percent sign stay on one line.
std::string escaped(const std::string& text) {
  std::string out;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const char c = text[n];
    if (c == ' ' && text.compare(n, 2, " %") == 0)
      out += "&nbsp;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

/// Folded, unless it is `open`.
std::string folded(const std::string& title, const std::string& size, const std::string& content,
                   bool open) {
  return fmt::format("<details{}><summary>{} <small>{}</small></summary>\n{}</details>\n",
                     open ? " open" : "", escaped(title), size, content);
}

const char* kind(const Column& column) {
  return column.show == Show::Text ? " class=\"text\"" : "";
}

/// The groups' names above their columns; nothing without groups.
std::string groups_html(const std::vector<Column>& columns) {
  std::string out;
  bool any = false;
  for (std::size_t c = 0, end = 0; c < columns.size(); c = end) {
    while (end < columns.size() && columns[end].group == columns[c].group) ++end;
    any = any || !columns[c].group.empty();
    out += fmt::format("<th colspan=\"{}\">{}</th>", end - c, escaped(columns[c].group));
  }
  return any ? "<tr class=\"groups\">" + out + "</tr>\n" : "";
}

std::string table_html(const Table& whole) {
  const Table table = without_details(whole);
  std::string out = "<div class=\"wide\"><table>\n<thead>" + groups_html(table.columns) + "<tr>";
  for (const Column& column : table.columns)
    out += fmt::format("<th{}>{}</th>", kind(column), escaped(heading(column)));
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      out += fmt::format("<td{}>{}</td>", kind(table.columns[c]),
                         escaped(cell_text(table.columns[c], row[c])));
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  return table.note.empty() ? out
                            : out + fmt::format("<p class=\"note\">{}</p>\n", escaped(table.note));
}

std::string section_html(const Section& section, bool open) {
  std::string out;
  for (const std::string& paragraph : section.paragraphs)
    out += fmt::format("<p>{}</p>\n", escaped(paragraph));
  for (const Table& table : section.tables)
    out += folded(table.title, counted(table.rows.size(), "row"), table_html(table), open);
  return out;
}

/// A part of the answer: open, its tables beside each other where they fit.
std::string answer_html(const Section& section) {
  std::string out = fmt::format("<section>\n<h2>{}</h2>\n", escaped(section.title)), tables;
  for (const std::string& paragraph : section.paragraphs)
    out += fmt::format("<p>{}</p>\n", escaped(paragraph));
  for (const Table& table : section.tables) {
    const std::string title =
        table.title.empty() ? "" : fmt::format("<p><b>{}</b></p>\n", escaped(table.title));
    tables += "<div>" + title + table_html(table) + "</div>\n";
  }
  if (!tables.empty()) out += "<div class=\"beside\">\n" + tables + "</div>\n";
  return out + "</section>\n";
}

/// A picture has its title within.
std::string plot_html(const Plot& plot) {
  return fmt::format(
      "<figure id=\"{}\"><img alt=\"{}\" "
      "src=\"data:image/svg+xml;base64,{}\">\n<figcaption>{}</figcaption></figure>\n",
      escaped(plot.name), escaped(plot.title), plot.svg, escaped(plot.caption));
}

std::string leading_plots_html(const std::vector<Plot>& plots) {
  std::string out;
  for (const Plot& plot : plots)
    if (plot.lead) out += plot_html(plot);
  return out.empty() ? "" : "<div class=\"plots\">\n" + out + "</div>\n";
}

/// The first screen of the page: the answer as far as its first tables, and the leading plots;
/// then the rest of the answer.
std::string summary_html(const std::vector<Section>& summary, const std::vector<Plot>& plots) {
  auto first = std::find_if(summary.begin(), summary.end(),
                            [](const Section& section) { return !section.tables.empty(); });
  if (first != summary.end()) ++first;
  std::string out;
  for (auto section = summary.begin(); section != first; ++section) out += answer_html(*section);
  out += leading_plots_html(plots);
  for (auto section = first; section != summary.end(); ++section) out += answer_html(*section);
  return out;
}

/// The others, group by group.
std::string other_plots_html(const std::vector<Plot>& plots) {
  std::string out;
  for (auto first = plots.begin(); first != plots.end();) {
    const auto last = std::find_if(first, plots.end(),
                                   [&](const Plot& plot) { return plot.group != first->group; });
    std::string content;
    std::size_t count = 0;
    for (auto plot = first; plot != last; ++plot) {
      if (plot->lead) continue;
      content += plot_html(*plot);
      ++count;
    }
    if (count > 0)
      out += folded(first->group, counted(count, "plot"),
                    "<div class=\"plots\">\n" + content + "</div>\n", false);
    first = last;
  }
  return out;
}

std::size_t rows_of(const Report& report) {
  std::size_t rows = 0;
  for (const Section& section : report.sections)
    for (const Table& table : section.tables) rows += table.rows.size();
  return rows;
}

}  // namespace

std::string to_html(const Report& report, const std::vector<Plot>& plots) {
  const bool open = rows_of(report) <= few_rows;
  std::string links, body;
  for (std::size_t n = 0; n < report.sections.size(); ++n) {
    const Section& section = report.sections[n];
    links += fmt::format("<a href=\"#section-{}\">{}</a>\n", n + 1, escaped(section.title));
    body += fmt::format("<h2 id=\"section-{}\">{}</h2>\n", n + 1, escaped(section.title)) +
            section_html(section, open);
  }
  if (const std::string others = other_plots_html(plots); !others.empty()) {
    links += "<a href=\"#plots\">More plots</a>\n";
    body += "<h2 id=\"plots\">More plots</h2>\n" + others;
  }
  const std::string title = escaped(report.title);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<h1>{}</h1>\n"
      "{}<nav>\n{}</nav>\n{}<script>\n{}</script>\n</body>\n</html>\n",
      title, page_style, title, summary_html(report.summary, plots), links, body, page_script);
}

}  // namespace memstencil::compare
