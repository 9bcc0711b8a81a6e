// Rows of membench's probes in the answer; and rows for spreadsheets and Python.
#include "app/compare/show/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace memstencil::compare {

namespace {

/// A probe with more points than these is a curve: in tables stand its levels, or its points at the
/// largest size; its points in plots.
constexpr std::size_t most_in_tables = 40;
/// And of one with more than these the plots have the levels alone, too.
constexpr std::size_t most_in_plots = 5000;

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
    experiments.push_back(std::span(series.values).subspan(at, end - at));
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

/// Quoted where a comma, a quotation mark or the end of a line would end the cell.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string cell_text(const Record& cell) {
  if (cell.is_null()) return "";
  if (cell.is_number_float()) return fmt::format("{:.9g}", cell.get<double>());
  return quoted(plain_text(cell));
}

/// A line of the row's members, the first time below their names.
void add(std::string& csv, const Record& row) {
  std::string names, cells;
  for (const auto& [name, cell] : row.items()) {
    names += (names.empty() ? "" : ",") + name;
    cells += (cells.empty() ? "" : ",") + cell_text(cell);
  }
  csv += (csv.empty() ? names + "\n" : "") + cells + "\n";
}

Record run_row(const Side& side, const Group& group, const Sample& s) {
  const Record& record = s.run->record;
  const Members& problem = group.what.problem;
  const std::string sweep = value_of(problem, "sweep");
  const auto joules =
      s.energy == nullptr ? std::nullopt : number_if(*s.energy, "gpus.joules_per_iteration");
  std::string flags = text_or(record, "machine.program.cxx_flags");
  if (const std::string cuda = text_or(record, "machine.program.cuda_flags"); !cuda.empty())
    flags += "; CUDA: " + cuda;
  return {{"side", side.name},
          {"file", s.run->file},
          {"case", label(group.what)},
          {"program", s.run->program},
          {"problem", value_of(problem, "size")},
          {"kind", sweep.empty() ? value_of(problem, "variant") : sweep},
          {"layout", text_or(record, "layout", sweep.empty() ? "" : "arrays")},
          {"memory", text_or(record, "memspace.effective")},
          {"allocation", text_or(record, "options.allocation")},
          {"first_touch", text_or(record, "first_touch")},
          {"prefetch", text_or(record, "options.prefetch")},
          {"pages", text_or(record, "options.pages")},
          {"ranks", s.ranks},
          {"repeat", s.run->repeat},
          {"stands", &s == &group.middle()},
          {"steps", s.steps},
          {"seconds", s.seconds()},
          {"sweep_seconds", s.median},
          {"gbs", s.bandwidth},
          {"mflops", s.unit == "GFLOPS" ? Record(1e3 * s.speed) : Record()},
          {"limit_gbs", s.limit > 0 ? Record(s.limit) : Record()},
          {"joules", joules ? Record(*joules * static_cast<double>(s.steps)) : Record()},
          {"verified", text_or(record, "verified")},
          {"revision", text_or(record, "machine.program.git_revision")},
          {"flags", flags},
          {"date", text_or(record, "provenance.started")}};
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
    const double of_base = row["values"].value(base, 0.0);
    for (const auto& [side, value] : row["values"].items())
      if (side != base && of_base != 0) row["to_base"][side] = value.get<double>() / of_base;
    all.push_back(row);
  }
  return all;
}

std::string runs_csv(const std::vector<Side>& sides) {
  std::string csv;
  for (const Side& side : sides)
    for (const Group& group : side.groups)
      for (const Sample& sample : group.samples) add(csv, run_row(side, group, sample));
  return csv;
}

std::string probes_csv(const std::vector<Side>& sides) {
  std::string csv;
  for (const Side& side : sides)
    for (const Run* run : side.runs)
      for (const ProbeRow& row : run->probe_rows)
        add(csv, {{"side", side.name},
                  {"file", run->file},
                  {"probe", row.probe},
                  {"point", row.label},
                  {"derived", row.derived},
                  {"column", row.column},
                  {"value", row.column.empty() ? Record() : Record(row.value)},
                  {"unit", row.column.empty() ? "" : unit_of_column(row.column)},
                  {"gpu", text_or(run->record, "machine.gpu.name")},
                  {"revision", text_or(run->record, "machine.program.git_revision")},
                  {"date", text_or(run->record, "provenance.started")}});
  return csv;
}

}  // namespace memstencil::compare
