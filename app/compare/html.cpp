// The report as one HTML file that needs nothing else: tables, sentences, plots within.
#include "app/compare/html.hpp"

#include <fmt/format.h>

namespace memstencil::compare {

namespace {

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{0}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; max-width: 86rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.6rem; }} h2 {{ font-size: 1.25rem; border-bottom: 1px solid #999; margin-top: 2.5rem; }}
nav a {{ margin-right: 1.2em; }}
.wide {{ overflow-x: auto; margin: 1rem 0; }}
table {{ border-collapse: collapse; font-size: 0.87rem; }}
caption {{ text-align: left; font-weight: 600; padding: 0.3rem 0; }}
th, td {{ padding: 0.2rem 0.45rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }}
th {{ border-bottom: 2px solid #666; white-space: normal; vertical-align: bottom; }}
th.text, td.text {{ text-align: left; }}
td.text {{ white-space: normal; }} td.text:first-child {{ min-width: 14rem; }}
.note {{ font-size: 0.85rem; color: #444; }}
figure {{ margin: 1.5rem 0; }} figure img {{ max-width: 100%; height: auto; }} figcaption {{ font-size: 0.87rem; color: #333; }}
@media print {{ nav {{ display: none; }} figure, tr {{ break-inside: avoid; }} }}
</style>
</head>
<body>
<h1>{0}</h1>
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
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

const char* kind(const Column& column) { return column.show == Show::Text ? " class=\"text\"" : ""; }

std::string table_html(const Table& table) {
  std::string out =
      fmt::format("<div class=\"wide\"><table>\n<caption>{}</caption>\n<tr>", escaped(table.title));
  for (const Column& column : table.columns)
    out += fmt::format("<th{}>{}</th>", kind(column), escaped(heading(column)));
  out += "</tr>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      out +=
          fmt::format("<td{}>{}</td>", kind(table.columns[c]), escaped(cell_text(table.columns[c], row[c])));
    out += "</tr>\n";
  }
  out += "</table></div>\n";
  return table.note.empty() ? out : out + fmt::format("<p class=\"note\">{}</p>\n", escaped(table.note));
}

std::string plot_html(const Plot& plot) {
  return fmt::format(
      "<figure id=\"{}\"><img alt=\"{}\" src=\"data:image/svg+xml;base64,{}\">\n<figcaption><b>{}</b> "
      "{}</figcaption></figure>\n",
      escaped(plot.name), escaped(plot.title), plot.svg, escaped(plot.title), escaped(plot.caption));
}

}  // namespace

std::string to_html(const Report& report, const std::vector<Plot>& plots) {
  std::string out = fmt::format(fmt::runtime(head), escaped(report.title)), body;
  out += "<nav>";
  for (std::size_t n = 0; n < report.sections.size(); ++n) {
    const Section& section = report.sections[n];
    out += fmt::format("<a href=\"#section-{}\">{}</a>", n + 1, escaped(section.title));
    body += fmt::format("<h2 id=\"section-{}\">{}</h2>\n", n + 1, escaped(section.title));
    for (const std::string& paragraph : section.paragraphs)
      body += fmt::format("<p>{}</p>\n", escaped(paragraph));
    for (const Table& table : section.tables) body += table_html(table);
  }
  if (!plots.empty()) {
    out += "<a href=\"#plots\">Plots</a>";
    body += "<h2 id=\"plots\">Plots</h2>\n";
  }
  out += "</nav>\n" + body;
  for (const Plot& plot : plots) out += plot_html(plot);
  return out + "</body>\n</html>\n";
}

}  // namespace memstencil::compare
