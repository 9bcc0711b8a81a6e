// The answer as one HTML page that needs no other file.
#include "app/compare/show/page.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/read/installed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

namespace memstencil::compare {

namespace {

std::string escaped(const std::string& text) {
  static const std::map<char, std::string> marks{
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  static const std::regex unit(" (%|x$)");  // stays on the line of its number
  std::string out;
  for (const char c : text) {
    const auto mark = marks.find(c);
    out += mark == marks.end() ? std::string(1, c) : mark->second;
  }
  return std::regex_replace(out, unit, "&nbsp;$1");
}

std::string folded(const std::string& title, const std::string& size, const std::string& content) {
  return fmt::format("<details><summary>{} <small>{}</small></summary>\n{}</details>\n",
                     escaped(title), size, content);
}

const char* kind(const Column& column) { return column.text ? " class=\"text\"" : ""; }

/// @param named each cell has its column's title, too, for a screen that has room for one cell
std::string table_html(const Table& table, bool named) {
  std::string out = "<div class=\"wide\"><table>\n<thead><tr>";
  for (const Column& column : table.columns)
    out += fmt::format("<th{}>{}</th>", kind(column), escaped(column.title));
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      out += fmt::format("<td{}{}>{}</td>", kind(table.columns[c]),
                         named ? fmt::format(" title=\"{}\"", escaped(table.columns[c].title)) : "",
                         escaped(row[c]));
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  return table.note.empty() ? out
                            : out + fmt::format("<p class=\"note\">{}</p>\n", escaped(table.note));
}

/// Sentences after the first `most` are folded.
std::string sentences_html(const Section& section) {
  std::string shown, more;
  const std::size_t count = section.sentences.size(), most = std::min(section.most, count);
  for (std::size_t n = 0; n < count; ++n)
    (n < most ? shown : more) += fmt::format("<p>{}</p>\n", escaped(section.sentences[n]));
  return more.empty() ? shown : shown + folded("more", counted(count - most, "line"), more);
}

std::string tables_html(const Section& section, bool open) {
  std::string out;
  for (const Table& table : section.tables) {
    std::string html = table_html(table, open);
    if (!table.title.empty()) html = fmt::format("<p><b>{}</b></p>\n", escaped(table.title)) + html;
    out += open ? html : folded(section.title, counted(table.rows.size(), "row"), html);
  }
  return out;
}

/// A part of the first screen.
std::string first_html(const Section& section) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}{}</section>\n", escaped(section.title),
                     sentences_html(section), tables_html(section, true));
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
      "src=\"data:image/svg+xml,{}\">\n<figcaption>{}</figcaption></figure>\n",
      escaped(picture.name), escaped(picture.title), picture.svg, linked(picture.caption));
}

}  // namespace

std::string to_page(const Document& document, const std::vector<Picture>& pictures) {
  constexpr std::size_t most_open = 8;  // pictures
  std::string first, open, rest, more;
  for (const Section& section : first_sections(document))
    first += section.is_long() ? tables_html(section, false) : first_html(section);
  for (const Section& section : document.rest)
    rest += section.tables.empty() ? first_html(section) : tables_html(section, false);
  std::size_t shown = 0;
  for (const Picture& each : pictures)
    if (each.lead && ++shown <= most_open)
      open += picture_html(each);
    else
      more += folded(each.title, "", picture_html(each));
  const std::string title = escaped(document.screen.title);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<h1>{}</h1>\n{}"
      "<div class=\"plots\">\n{}</div>\n<h2>More</h2>\n{}{}{}</body>\n</html>\n",
      title, content_of(shared_file("page/page.css")), title, first, open, more, rest,
      content_of(shared_file("page/words.html")));
}

}  // namespace memstencil::compare
