// Published figures as their files give them.
#include "app/compare/reference.hpp"
#include "app/base/cli/toml_file.hpp"
#include "app/compare/applications.hpp"
#include "app/compare/document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace memstencil::compare {

namespace {

Record scalars(const TomlTable& table) {
  Record members = Record::object();
  for (const std::string& key : table.keys()) members[key] = table.scalar(key);
  return members;
}

void read_range(const TomlTable& table, PublishedFigure& figure) {
  if (table.has("value") && (table.has("low") || table.has("high")))
    table.refuse("value", "either a value, or low and high");
  figure.low = table.number(table.has("value") ? "value" : "low");
  figure.high = table.has("value")  ? figure.low
                : table.has("high") ? table.number("high")
                                    : std::numeric_limits<double>::infinity();
  if (figure.high < figure.low) table.refuse("high", "it is under low");
}

PublishedFigure read_figure(const TomlTable& table) {
  table.only({"program", "probe", "where", "minus", "over", "value", "low", "high", "column",
              "unit", "note"});
  PublishedFigure figure{.program = table.text("program"),
                         .probe = "",
                         .where = scalars(table.table("where")),
                         .unit = table.text("unit"),
                         .note = table.text("note")};
  const std::vector<std::string> valid = programs();
  if (std::find(valid.begin(), valid.end(), figure.program) == valid.end())
    table.refuse("program", fmt::format("valid are {}", fmt::join(valid, ", ")));
  if (figure.program == "membench") figure.probe = table.text("probe");
  if (table.has("column")) figure.column = table.text("column");
  if (table.has("minus")) figure.minus = scalars(table.table("minus"));
  if (table.has("over")) {
    figure.over = scalars(table.table("over"));
    if (figure.minus) table.refuse("over", "either a difference (minus) or a ratio (over)");
    if (figure.unit != "times") table.refuse("unit", "a ratio (over) is given in \"times\"");
  }
  read_range(table, figure);
  return figure;
}

}  // namespace

std::string PublishedFigure::range() const {
  const std::string least = number_text(low);
  if (std::isinf(high)) return "at least " + least;
  return low == high ? least : least + " to " + number_text(high);
}

Reference read_reference(const std::string& path) {
  const TomlTable file(path, "the reference file");
  file.only({"name", "title", "source", "figures"});
  Reference reference{
      .name = file.text("name"), .title = file.text("title"), .source = file.text("source")};
  for (const TomlTable& table : file.tables("figures"))
    reference.figures.push_back(read_figure(table));
  return reference;
}

}  // namespace memstencil::compare
