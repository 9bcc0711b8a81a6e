// Published figures that results are set beside: inputs/reference/*.toml.
#include "app/compare/reference.hpp"

#include "app/common/cli/toml_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace memstencil::compare {

namespace {

Record identity(const TomlTable& table) {
  Record members = Record::object();
  for (const std::string& key : table.keys()) members[key] = table.scalar(key);
  return members;
}

PublishedFigure read_figure(const TomlTable& table) {
  table.only({"program", "probe", "where", "minus", "over", "value", "low", "high", "level", "unit",
              "note"});
  PublishedFigure figure{.program = table.text("program"),
                         .where = identity(table.table("where")),
                         .unit = table.text("unit"),
                         .note = table.text("note")};
  if (figure.program != "himeno" && figure.program != "transpose" && figure.program != "membench")
    table.refuse("program", "valid are himeno, transpose and membench");
  if (figure.program == "membench") figure.where.emplace("probe", table.text("probe"));
  if (table.has("minus")) figure.minus = identity(table.table("minus"));
  if (table.has("over")) {
    figure.over = identity(table.table("over"));
    if (figure.minus) table.refuse("over", "either a difference (minus) or a ratio (over)");
    if (figure.unit != "times") table.refuse("unit", "a ratio (over) is given in \"times\"");
  }
  if (table.has("value") && (table.has("low") || table.has("high")))
    table.refuse("value", "either a value, or low and high");
  figure.low = table.number(table.has("value") ? "value" : "low");
  if (table.has("value"))
    figure.high = figure.low;
  else if (table.has("high"))
    figure.high = table.number("high");
  else
    figure.high = std::numeric_limits<double>::infinity();
  if (table.has("level")) {
    if (table.text("level") != "settled") table.refuse("level", "valid is \"settled\"");
    figure.settled = true;
  }
  if (figure.high < figure.low) table.refuse("high", "it is under low");
  return figure;
}

std::string described(const PublishedFigure& figure) {
  std::string text = figure.program;
  for (const auto& [key, value] : figure.where.items())
    text +=
        fmt::format(", {} {}", key, value.is_string() ? value.get<std::string>() : value.dump());
  if (figure.settled) text += ", once it has settled";
  if (figure.minus) return text + ", difference";
  return figure.over ? text + ", ratio" : text;
}

std::string range(const PublishedFigure& figure) {
  const std::string low = number_text(figure.low);
  if (std::isinf(figure.high)) return "at least " + low;
  return figure.low == figure.high ? low : low + " to " + number_text(figure.high);
}

/// Ours: the entry's figure, or its difference to (its ratio over) the entry of the same side that
/// differs as `minus` (`over`) says.
std::optional<double> ours(const PublishedFigure& figure, const Entry& entry, const Side& side) {
  const auto value_of = [&](const Entry& one) {
    return figure.settled ? one.settled : std::optional(one.value.median);
  };
  if (figure.is_level()) return value_of(entry);
  Record wanted = entry.identity;
  wanted.update(figure.minus ? *figure.minus : *figure.over);
  for (const Entry& other : side.entries)
    if (other.table == entry.table && other.identity == wanted && other.unit == entry.unit) {
      const auto mine = value_of(entry), its = value_of(other);
      if (!mine || !its) continue;
      if (figure.minus) return *mine - *its;
      if (*its != 0) return *mine / *its;
    }
  return std::nullopt;
}

/// Within the range 1; otherwise against its nearer end.
Record ratio(const PublishedFigure& figure, double value) {
  const double nearest = value < figure.low ? figure.low : std::min(value, figure.high);
  return nearest == 0 ? Record() : Record(value / nearest);
}

}  // namespace

bool PublishedFigure::fits(const Entry& entry, const Record& members) const {
  // Derived members carry their unit in their name; a ratio has none.
  const bool comparable =
      members.contains("derived") || (entry.primary && (over || entry.unit == unit));
  if (entry.program != program || !comparable) return false;
  for (const auto& [key, value] : members.items())
    if (!entry.identity.contains(key) || entry.identity[key] != value) return false;
  return true;
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

Table published_table(const Reference& reference, const std::vector<Side>& sides) {
  Table table{.title = fmt::format("Beside published figures: {}", reference.title),
              .columns = {{"published for"},
                          {"published"},
                          {"unit"},
                          {"note"},
                          {"machine"},
                          {"ours", Show::Number},
                          {"ours / published", Show::Times},
                          {"our case"}},
              .note = reference.source};
  for (const PublishedFigure& figure : reference.figures) {
    std::vector<Record> row{described(figure), range(figure), figure.unit, figure.note};
    bool found = false;
    for (const Side& side : sides)
      for (const Entry& entry : side.entries) {
        if (!figure.fits(entry, figure.where)) continue;
        const std::optional<double> value = ours(figure, entry, side);
        if (!value) continue;
        std::vector<Record> filled = row;
        filled.insert(filled.end(), {side.label, *value, ratio(figure, *value), full_label(entry)});
        table.rows.push_back(filled);
        found = true;
      }
    if (found) continue;
    row.insert(row.end(), {"no such result", nullptr, nullptr, nullptr});
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace memstencil::compare
