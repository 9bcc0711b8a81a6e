// The runs for spreadsheets and Python: a row a repeat; and of membench a row a point.
#include "app/compare/read/tree.hpp"
#include "app/compare/show/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace memstencil::compare {

namespace {

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

std::string runs_csv(const std::vector<Side>& sides) {
  std::string csv;
  for (const Side& side : sides)
    for (const Group& group : side.groups) {
      std::vector<const Sample*> samples;
      for (const Sample& sample : group.samples) samples.push_back(&sample);
      std::ranges::stable_sort(samples, {}, [](const Sample* sample) {
        return std::pair(sample->run->file, sample->run->repeat);
      });
      for (const Sample* sample : samples) add(csv, run_row(side, group, *sample));
    }
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
