// Published figures as their files give them, and our results next to them.
#include "app/compare/judge/judge.hpp"

#include "app/base/cli/toml_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace memstencil::compare {

namespace {

Record scalars(const TomlTable& table) {
  Record members = Record::object();
  for (const std::string& key : table.keys()) members[key] = table.scalar(key);
  return members;
}

/// "310.0 to 360.0", "at least 310.0"
std::string range_text(const PublishedFigure& figure) {
  const std::string least = four_digits(figure.low);
  if (std::isinf(figure.high)) return "at least " + least;
  return figure.low == figure.high ? least : least + " to " + four_digits(figure.high);
}

PublishedFigure read_figure(const TomlTable& table, const std::string& source) {
  table.only({"program", "probe", "where", "minus", "over", "value", "low", "high", "column",
              "unit", "note"});
  const std::string program = table.text("program");
  const Record where = scalars(table.table("where"));
  const std::string unit = table.text("unit"), note = table.text("note");
  if (const auto valid = programs(); !std::ranges::count(valid, program))
    table.refuse("program", fmt::format("valid are {}", fmt::join(valid, ", ")));
  const std::string probe = program == "membench" ? table.text("probe") : "";
  PublishedFigure figure{.column = table.has("column") ? table.text("column") : unit};
  const bool minus = table.has("minus"), over = table.has("over");
  if (minus && over) table.refuse("over", "either a difference (minus) or a ratio (over)");
  if (over && unit != "times") table.refuse("unit", "a ratio (over) is given in \"times\"");
  if (minus || over) figure.against = scalars(table.table(minus ? "minus" : "over"));
  const bool exact = table.has("value"), ends = table.has("high");
  if (exact && (table.has("low") || ends)) table.refuse("value", "either a value, or low and high");
  figure.low = table.number(exact ? "value" : "low");
  figure.high = exact  ? figure.low
                : ends ? table.number("high")
                       : std::numeric_limits<double>::infinity();
  if (figure.high < figure.low) table.refuse("high", "it is under low");
  figure.row = {{"source", source},
                {"program", program},
                {"probe", probe},
                {"where", where},
                {"note", note},
                {"low", figure.low},
                {"high", std::isinf(figure.high) ? Record() : Record(figure.high)},
                {"published", range_text(figure)},
                {"unit", unit},
                {"difference", minus},
                {"side", Record()},
                {"case", ""},
                {"ours", Record()},
                {"to_published", Record()}};
  return figure;
}

/// A result of ours as references name it: flat members, and figures by their unit or column.
struct Ours {
  std::string program, probe, label;
  Record members = Record::object();
  std::map<std::string, double> figures = {};
};

Ours ours(const Sample& sample) {
  const Record& record = sample.run->record;
  Ours out{.program = sample.run->program, .probe = "", .label = label(sample.what)};
  for (const char* key :
       {"size", "iterations", "exec", "first_touch", "sweep", "rows", "columns", "type"})
    if (const Record* value = find(record, key); value != nullptr) out.members[key] = *value;
  out.members["memspace"] = text(record, "memspace.effective");
  const Record& ranks = member(record, "ranks");
  out.members["ranks"] = ranks.is_array()
                             ? fmt::format("{}", fmt::join(numbers(record, "ranks"), "x"))
                             : plain_text(ranks);
  for (const char* key : {"variant", "tile"})
    if (const std::string value = value_of(sample.what.problem, key); !value.empty())
      out.members[key] = value;
  out.figures = {{sample.unit, sample.speed}, {"GB/s", sample.bandwidth}, {"times", sample.speed}};
  return out;
}

Ours ours(const ProbeRow& row) {
  Ours out{.program = "membench", .probe = row.probe, .label = row.probe + ", " + row.label};
  out.members = cells_of(row);
  for (const auto& [name, value] : out.members.items())
    if (value.is_number()) out.figures[name] = value.get<double>();
  if (row.column.empty()) return out;
  for (const std::string& name : {row.column, unit_of_column(row.column), std::string("times")})
    out.figures[name] = row.value;
  return out;
}

/// The figure of a result that has these members; nothing if it is another one.
std::optional<double> figure_of(const PublishedFigure& figure, const Record& members,
                                const Ours& result) {
  if (figure.row["program"] != result.program || figure.row["probe"] != result.probe) return {};
  for (const auto& [key, value] : members.items())
    if (!result.members.contains(key) || result.members[key] != value) return {};
  const auto found = result.figures.find(figure.column);
  return found == result.figures.end() ? std::nullopt : std::optional(found->second);
}

/// As `minus` or `over` says, against the result of the same side, of as many steps of the
/// same size, with those members.
std::optional<double> against_other(const PublishedFigure& figure, double own, const Ours& result,
                                    const std::vector<Ours>& results) {
  if (!figure.against) return own;
  Record wanted = figure.row["where"];
  for (const char* key : {"size", "iterations"})
    if (result.members.contains(key)) wanted[key] = result.members[key];
  wanted.update(*figure.against);
  for (const Ours& other : results)
    if (const auto value = figure_of(figure, wanted, other); value && &other != &result)
      return figure.row["difference"] == true ? own - *value : own / *value;
  return {};
}

/// The results of a side that have the figure, with it. If the figure names no size, the largest of
/// ours stands next to it; of equal ones the first.
std::vector<std::pair<const Ours*, double>> found_in(const PublishedFigure& figure,
                                                     const std::vector<Ours>& results) {
  std::vector<std::pair<const Ours*, double>> found;
  const bool of_all_sizes = figure.row["where"].contains("bytes");
  double most = 0;
  for (const Ours& result : results) {
    const auto own = figure_of(figure, figure.row["where"], result);
    const auto value = own ? against_other(figure, *own, result, results) : own;
    if (!value || !std::isfinite(*value)) continue;
    const double bytes = number_or(result.members, "bytes", 0);
    if (!of_all_sizes && bytes > most) found.clear(), most = bytes;
    const bool known =
        std::ranges::any_of(found, [&](const auto& f) { return f.second == *value; });
    if (of_all_sizes || (bytes == most && !known)) found.emplace_back(&result, *value);
  }
  return found;
}

/// Within the range 1; otherwise over its nearer end.
Record ratio_to(const PublishedFigure& figure, double value) {
  const double nearest = value < figure.low ? figure.low : std::min(value, figure.high);
  return nearest == 0 ? Record() : Record(value / nearest);
}

}  // namespace

Reference read_reference(const std::string& path) {
  const TomlTable file(path, "the reference file");
  file.only({"name", "title", "source", "figures"});
  for (const char* needed : {"name", "source"}) file.text(needed);
  const std::string title = file.text("title");
  Reference reference;
  for (const TomlTable& table : file.tables("figures"))
    reference.push_back(read_figure(table, title));
  return reference;
}

Record published_rows(const std::vector<Reference>& references, const std::vector<Side>& sides) {
  std::vector<std::vector<Ours>> results(sides.size());
  for (std::size_t s = 0; s < sides.size() && !references.empty(); ++s) {
    for (const Group& group : sides[s].groups) results[s].push_back(ours(group.middle()));
    for (const Run* run : sides[s].runs)
      for (const ProbeRow& row : run->probe_rows) results[s].push_back(ours(row));
  }
  Record rows = Record::array();
  for (const Reference& reference : references)
    for (const PublishedFigure& figure : reference) {
      const std::size_t before = rows.size();
      Record row = figure.row;
      for (std::size_t s = 0; s < sides.size(); ++s)
        for (const auto& [result, value] : found_in(figure, results[s])) {
          row.update({{"side", sides[s].name},
                      {"case", result->label},
                      {"ours", value},
                      {"to_published", ratio_to(figure, value)}});
          rows.push_back(row);
        }
      if (rows.size() == before) rows.push_back(row);
    }
  return rows;
}

}  // namespace memstencil::compare
