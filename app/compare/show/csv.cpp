// The runs for spreadsheets and Python: a row a repeat; and of membench a row a point.
#include "app/compare/show/csv.hpp"

#include "app/compare/read/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace memstencil::compare {

namespace {

/// The name of a column and its cell.
using Cells = std::vector<std::pair<const char*, std::string>>;

/// Quoted where a comma, a quotation mark or the end of a line would end the cell.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string line_of(const Cells& cells, bool names) {
  std::string line;
  for (const auto& [name, cell] : cells)
    line += (line.empty() ? "" : ",") + csv_cell(names ? name : cell);
  return line + "\n";
}

std::string number_cell(std::optional<double> value) {
  return value ? fmt::format("{:.9g}", *value) : "";
}

Cells cells_of_run(const Side& side, const Group& group, const Sample& s) {
  const Record& record = s.run->record;
  const auto of_case = [](const Members& members, const char* key) {
    return value_of(members, key);
  };
  const Members& problem = group.what.problem;
  const std::string sweep = of_case(problem, "sweep");
  const std::string layout = text_or(record, "layout", sweep.empty() ? "" : "arrays");
  const auto joules =
      s.energy == nullptr ? std::nullopt : number_if(*s.energy, "gpus.joules_per_iteration");
  std::string flags = text_or(record, "machine.program.cxx_flags");
  if (const std::string cuda = text_or(record, "machine.program.cuda_flags"); !cuda.empty())
    flags += "; CUDA: " + cuda;
  return {{"side", side.name},
          {"file", s.run->file},
          {"program", s.run->program},
          {"problem", of_case(problem, "size")},
          {"kind", sweep.empty() ? of_case(problem, "variant") : sweep},
          {"layout", layout},
          {"memory", text_or(record, "memspace.effective")},
          {"allocation", text_or(record, "options.allocation")},
          {"first_touch", text_or(record, "first_touch")},
          {"prefetch", text_or(record, "options.prefetch")},
          {"pages", text_or(record, "options.pages")},
          {"ranks", std::to_string(s.ranks)},
          {"repeat", std::to_string(s.run->repeat)},
          {"stands", &s == &group.middle() ? "true" : "false"},
          {"steps", std::to_string(s.steps)},
          {"seconds", number_cell(s.seconds())},
          {"sweep_seconds", number_cell(s.median)},
          {"gbs", number_cell(s.bandwidth)},
          {"mflops", s.unit == "GFLOPS" ? number_cell(1e3 * s.speed) : ""},
          {"limit_gbs", s.limit > 0 ? number_cell(s.limit) : ""},
          {"joules", joules ? number_cell(*joules * static_cast<double>(s.steps)) : ""},
          {"verified", text_or(record, "verified")},
          {"revision", text_or(record, "machine.program.git_revision")},
          {"flags", flags},
          {"date", text_or(record, "provenance.started")}};
}

Cells cells_of_point(const Side& side, const Run& run, const ProbeRow& row) {
  return {{"side", side.name},
          {"file", run.file},
          {"probe", row.probe},
          {"point", row.label},
          {"derived", row.derived ? "true" : "false"},
          {"column", row.column},
          {"value", row.column.empty() ? "" : number_cell(row.value)},
          {"unit", row.column.empty() ? "" : unit_of_column(row.column)},
          {"gpu", text_or(run.record, "machine.gpu.name")},
          {"revision", text_or(run.record, "machine.program.git_revision")},
          {"date", text_or(run.record, "provenance.started")}};
}

/// The lines of cells, the names first.
class Csv {
public:
  void add(const Cells& cells) {
    if (out_.empty()) out_ = line_of(cells, true);
    out_ += line_of(cells, false);
  }
  std::string text() const { return out_; }

private:
  std::string out_;
};

}  // namespace

std::string runs_csv(const std::vector<Side>& sides) {
  Csv csv;
  for (const Side& side : sides)
    for (const Group& group : side.groups) {
      std::vector<const Sample*> samples;
      for (const Sample& sample : group.samples) samples.push_back(&sample);
      std::ranges::stable_sort(samples, {}, [](const Sample* sample) {
        return std::pair(sample->run->file, sample->run->repeat);
      });
      for (const Sample* sample : samples) csv.add(cells_of_run(side, group, *sample));
    }
  return csv.text();
}

std::string probes_csv(const std::vector<Side>& sides) {
  Csv csv;
  for (const Side& side : sides)
    for (const Run* run : side.runs)
      for (const ProbeRow& row : run->probe_rows) csv.add(cells_of_point(side, *run, row));
  return csv.text();
}

}  // namespace memstencil::compare
