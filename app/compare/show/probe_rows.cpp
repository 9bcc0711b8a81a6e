// The rows of membench's probes in the answer.
#include "app/compare/read/tree.hpp"
#include "app/compare/show/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace memstencil::compare {

namespace {

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
