// The answer as one HTML page that needs no other file.
#include "app/compare/page.hpp"

#include "app/base/record/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace memstencil::compare {

namespace {

std::string content_of(const std::string& name) {
  std::ifstream file(shared_file("page/" + name));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A number and its percent sign stay on one line.
std::string escaped(const std::string& text) {
  std::string out;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const char c = text[n];
    if (c == ' ' &&
        (text.compare(n, 2, " %") == 0 || text.compare(n, std::string::npos, " x") == 0))
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

std::string folded(const std::string& title, const std::string& size, const std::string& content) {
  return fmt::format("<details><summary>{} <small>{}</small></summary>\n{}</details>\n",
                     escaped(title), size, content);
}

const char* kind(const Column& column) {
  return column.show == Show::Text ? " class=\"text\"" : "";
}

/// The sides' names above their columns; nothing without such groups.
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

std::string table_html(const Table& table) {
  std::string out = "<div class=\"wide\"><table>\n<thead>" + groups_html(table.columns) + "<tr>";
  for (const Column& column : table.columns)
    out += fmt::format("<th{}>{}</th>", kind(column), escaped(column.title));
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

std::string sentences_html(const Section& section) {
  std::string out;
  for (const std::string& sentence : section.sentences)
    out += fmt::format("<p>{}</p>\n", escaped(sentence));
  return out;
}

/// A part of the first screen: open.
std::string first_html(const Section& section) {
  std::string out =
      fmt::format("<section>\n<h2>{}</h2>\n", escaped(section.title)) + sentences_html(section);
  for (const Table& table : section.tables)
    out += (table.title.empty() ? "" : fmt::format("<p><b>{}</b></p>\n", escaped(table.title))) +
           table_html(table);
  return out + "</section>\n";
}

std::string rest_html(const Section& section) {
  std::string out = sentences_html(section);
  for (const Table& table : section.tables)
    out += folded(table.title.empty() ? section.title : table.title,
                  counted(table.rows.size(), "row"), table_html(table));
  return out;
}

/// "As [key]" with a link to the source of this key, further down on the page.
std::string linked(const std::string& caption) {
  static const std::regex key("\\[([a-z0-9-]+)\\]");
  return std::regex_replace(escaped(caption), key, "<a href=\"#$1\">[$1]</a>");
}

/// A picture has its title within.
std::string picture_html(const Picture& picture) {
  return fmt::format(
      "<figure id=\"{}\"><img alt=\"{}\" "
      "src=\"data:image/svg+xml;base64,{}\">\n<figcaption>{}</figcaption></figure>\n",
      escaped(picture.name), escaped(picture.title), picture.svg, linked(picture.caption));
}

/// Those that lead next to each other, the others each folded.
std::string pictures_html(const std::vector<Picture>& pictures, bool lead) {
  std::string out;
  for (const Picture& each : pictures)
    if (each.lead == lead)
      out += lead ? picture_html(each) : folded(each.title, "", picture_html(each));
  return out.empty() || !lead ? out : "<div class=\"plots\">\n" + out + "</div>\n";
}

}  // namespace

std::string page_of(const Document& document, const std::vector<Picture>& pictures) {
  // The answer and its table come first, then what explains them.
  std::string first, more, links, rest;
  for (const Section& section : document.first) {
    const bool answer = section.title == "Answer" || !section.tables.empty();
    (answer ? first : more) += first_html(section);
  }
  for (std::size_t n = 0; n < document.rest.size(); ++n) {
    const Section& section = document.rest[n];
    links += fmt::format("<a href=\"#section-{}\">{}</a>\n", n + 1, escaped(section.title));
    rest += fmt::format("<h2 id=\"section-{}\">{}</h2>\n", n + 1, escaped(section.title)) +
            rest_html(section);
  }
  if (const std::string others = pictures_html(pictures, false); !others.empty()) {
    links += "<a href=\"#plots\">More plots</a>\n";
    rest += "<h2 id=\"plots\">More plots</h2>\n" + others;
  }
  const std::string title = escaped(document.title);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<h1>{}</h1>\n"
      "{}{}{}<nav>\n{}</nav>\n{}{}<script>\n{}</script>\n</body>\n</html>\n",
      title, content_of("page.css"), title, first, pictures_html(pictures, true), more, links, rest,
      content_of("words.html"), content_of("page.js"));
}

}  // namespace memstencil::compare
