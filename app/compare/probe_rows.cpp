// The rows of membench's probes, as figures that can be set side by side, and in the answer.
#include "app/compare/run.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/answer.hpp"
#include "app/compare/tree.hpp"
#include "app/membench/core/result_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace memstencil::compare {

namespace {

/// The first of these that a row has stands for it.
constexpr std::array figures{"gbs",    "sum_gbs",     "per_second", "per_clock", "cycles",  "ns",
                             "hidden", "ns_per_byte", "C1",         "seconds",   "slowdown"};

std::string written(const std::string& name, const membench::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const double number = std::get<double>(value);
  return name == "bytes" ? bytes_text(number) : name + " " + membench::text_of(value);
}

ProbeRow named(const std::string& probe, const std::set<std::string>& axes, membench::Row row) {
  // A point names a value of every axis; what is derived from several points leaves one out.
  const bool point =
      !row.samples.empty() ||
      (!axes.empty() && std::all_of(axes.begin(), axes.end(),
                                    [&](const std::string& axis) { return row.has(axis); }));
  ProbeRow out{.probe = probe, .derived = !point, .row = std::move(row)};
  for (const auto& [name, value] : out.row.cells) {
    const bool text = std::holds_alternative<std::string>(value);
    if (name == "stopped" || (!text && axes.count(name) == 0)) continue;
    out.label += (out.label.empty() ? "" : ", ") + written(name, value);
  }
  const auto figure = std::find_if(figures.begin(), figures.end(), [&](const char* each) {
    return out.row.samples.empty() ? out.row.has(each) : out.row.samples.count(each) > 0;
  });
  if (figure == figures.end()) return out;
  out.column = *figure;
  out.value = out.row.has(out.column) ? out.row.number(out.column)
                                      : membench::median(out.row.samples.at(out.column).values);
  return out;
}

/// A probe with more points than these is a curve: in tables stand its levels, or its points at the
/// largest size; its points in plots.
constexpr std::size_t most_in_tables = 40;
/// And of one with more than these the plots have the levels alone, too.
constexpr std::size_t most_in_plots = 5000;
constexpr std::size_t most_samples = 400;

using OfProbe = std::map<std::string, std::vector<ProbeRow>>;

/// The rows of all runs of the side by probe. Rows of runs whose options differ are other points;
/// of equal points the one in the middle by its figure stands for all.
OfProbe rows_of(const Side& side) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> options;  // by probe
  for (const Run* run : side.runs)
    for (const ProbeRow& row : run->probe_rows)
      for (const char* option : probe_options)
        options[row.probe][option].insert(text_or(run->record, std::string("options.") + option));
  std::map<std::string, std::vector<std::vector<ProbeRow>>> points;  // by probe
  std::map<std::string, std::size_t> known;
  for (const Run* run : side.runs)
    for (ProbeRow row : run->probe_rows) {
      for (const char* option : probe_options)
        if (options[row.probe][option].size() > 1) {
          const std::string value = text_or(run->record, std::string("options.") + option);
          row.options += fmt::format("{}--{} {}", row.options.empty() ? "" : ", ", option,
                                     value.empty() ? "not given" : value);
        }
      if (!row.options.empty()) row.label += ", " + row.options;
      auto& of_probe = points[row.probe];
      const auto [at, is_new] = known.emplace(row.probe + "\n" + row.label, of_probe.size());
      if (is_new) of_probe.emplace_back();
      of_probe[at->second].push_back(std::move(row));
    }
  OfProbe all;
  for (auto& [probe, of_probe] : points)
    for (std::vector<ProbeRow>& rows : of_probe) {
      const auto middle = rows.begin() + static_cast<std::ptrdiff_t>((rows.size() - 1) / 2);
      std::nth_element(rows.begin(), middle, rows.end(),
                       [](const ProbeRow& a, const ProbeRow& b) { return a.value < b.value; });
      all[probe].push_back(std::move(*middle));
    }
  return all;
}

Record series_of(const membench::Series& series) {
  Record experiments = Record::array();
  std::size_t at = 0;
  for (const std::size_t count : series.experiments) {
    const std::size_t end = std::min(at + count, series.values.size());
    const std::size_t shown = std::min(end, at + most_samples);
    experiments.push_back(
        std::vector<double>(series.values.begin() + static_cast<std::ptrdiff_t>(at),
                            series.values.begin() + static_cast<std::ptrdiff_t>(shown)));
    at = end;
  }
  return experiments;
}

Record record_of(const ProbeRow& row) {
  Record out = cells_of(row);
  out["label"] = row.label;
  out["column"] = row.column;
  out["value"] = row.value;
  out["derived"] = row.derived;
  out["options"] = row.options;
  const bool by_repeat = row.probe == "patterns" || row.probe == "migration";
  if (by_repeat && row.row.samples.count(row.column) > 0)
    out["series"] = series_of(row.row.samples.at(row.column));
  return out;
}

}  // namespace

Record cells_of(const ProbeRow& row) {
  Record cells = Record::object();
  for (const auto& [name, value] : row.row.cells) {
    Record& cell = cells[name];
    std::visit([&](const auto& each) { cell = each; }, value);
  }
  return cells;
}

std::string unit_of_column(const std::string& column) {
  const std::string unit = membench::unit_of(column);
  return unit.empty() ? column : unit;
}

std::vector<ProbeRow> probe_rows(const Record& result) {
  std::vector<ProbeRow> all;
  for (const Record& probe : member(result, "probes")) {
    const Record* blocks = find(probe, "rows");
    if (blocks == nullptr || find(probe, "skipped") != nullptr) continue;
    std::set<std::string> axes;
    if (const Record* names = find(probe, "axes"); names != nullptr)
      for (const Record& each : *names) axes.insert(plain_text(each));
    const std::string name = text(probe, "name");
    for (membench::Row& row : membench::rows_of(*blocks, name))
      all.push_back(named(name, axes, std::move(row)));
  }
  return all;
}

Record probe_rows_of(const std::vector<Side>& sides) {
  Record all = Record::array();
  for (const Side& side : sides)
    for (const auto& [probe, rows] : rows_of(side)) {
      Record shown = Record::array();
      for (const ProbeRow& row : rows)
        if (row.derived || rows.size() <= most_in_plots) shown.push_back(record_of(row));
      all.push_back({{"side", side.name}, {"probe", probe}, {"rows", shown}});
    }
  return all;
}

Record probe_pairs(const Record& probes, const std::string& base) {
  nlohmann::ordered_map<std::string, Record> by_label;
  for (const Record& of : probes) {
    const Record& rows = of.at("rows");
    double largest = 0;
    for (const Record& row : rows) largest = std::max(largest, number_or(row, "bytes", 0));
    for (const Record& row : rows) {
      const std::string column = row.at("column"), label = row.at("label");
      const bool stands = rows.size() <= most_in_tables || row.at("derived") == true ||
                          (largest > 0 && number_or(row, "bytes", 0) == largest);
      if (column.empty() || !stands) continue;
      Record& pair = by_label[text(of, "probe") + "\n" + label];
      if (pair.is_null())
        pair = {{"probe", of.at("probe")},
                {"row", label},
                {"unit", unit_of_column(column)},
                {"values", Record::object()},
                {"to_base", Record::object()}};
      pair["values"][text(of, "side")] = row.at("value");
    }
  }
  Record all = Record::array();
  for (auto& [label, row] : by_label) {
    const auto of_base = row["values"].find(base);
    if (of_base != row["values"].end() && *of_base != 0.0)
      for (const auto& [side, value] : row["values"].items())
        if (side != base) row["to_base"][side] = value.get<double>() / of_base->get<double>();
    all.push_back(row);
  }
  return all;
}

}  // namespace memstencil::compare
