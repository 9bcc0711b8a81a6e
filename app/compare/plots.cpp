// The plots: drawn by Python scripts, from what compare has read and grouped.
#include "app/compare/plots.hpp"

#include "app/base/runtime/failure.hpp"
#include "app/compare/counterparts.hpp"
#include "app/compare/model_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace memstencil::compare {

namespace {

namespace fs = std::filesystem;

/// Python's tracebacks end with the line that says what is wrong.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Of several runs of a himeno case the one that stands for it is drawn, as it stands in tables.
bool stands(const Side& side, const Run* run) {
  return std::none_of(side.himeno_cases.begin(), side.himeno_cases.end(), [run](const auto& same) {
    return std::find(same.begin() + 1, same.end(), run) != same.end();
  });
}

/// `files`: those that runs are in, by number.
Record side_record(const Side& side, std::vector<std::string>& files) {
  Record theory = Record::object(), runs = Record::array();
  if (side.description)
    for (const auto& [name, figure] : side.description->figures)
      theory[name] = {{"gbs", figure.gbs}, {"measured", figure.measured}};
  for (const Run* run : side.runs) {
    if (!stands(side, run)) continue;
    runs.push_back({{"file", files.size()}});
    files.push_back(run->file);
    if (const auto* himeno = run->as<himeno::Result>()) {
      runs.back().emplace("memory", memory_label(placement_identity(*himeno)));
      runs.back()["identity"] = entries_of(*himeno).front().identity;
    }
    if (const auto* transpose = run->as<transpose::Result>())
      runs.back().emplace("memory", memory_label(placement_identity(*transpose)));
  }
  return {{"label", side.label}, {"theory", theory}, {"runs", runs}};
}

Record end_or_null(double value) { return std::isinf(value) ? Record() : Record(value); }

/// Levels as they are printed, whether a result of ours stands beside them or not.
Record published_record(const std::vector<Reference>& references) {
  Record figures = Record::array();
  for (const Reference& reference : references)
    for (const PublishedFigure& figure : reference.figures) {
      if (figure.minus || figure.over) continue;
      figures.push_back({{"where", figure.where},
                         {"low", figure.low},
                         {"high", end_or_null(figure.high)},
                         {"text", in_plots(figure)},
                         {"label", reference.title},
                         {"note", figure.note}});
    }
  return figures;
}

/// Where they lie among our figures: differences from the figure that they are taken from.
Record marks_record(const std::vector<Reference>& references, const std::vector<Side>& sides) {
  Record marks = Record::array();
  for (const Reference& reference : references)
    for (const PublishedFigure& figure : reference.figures) {
      if (figure.over) continue;
      for (const Counterpart& each : counterparts(figure, sides))
        marks.push_back({{"side", each.side->label},
                         {"identity", each.entry->identity},
                         {"low", each.origin + figure.low},
                         {"high", end_or_null(each.origin + figure.high)},
                         {"ours", each.origin + each.ours},
                         {"text", in_plots(figure)},
                         {"label", reference.title},
                         {"differs", each.differs}});
    }
  return marks;
}

Record scaling_record(const std::vector<Side>& sides) {
  Record curves = Record::array();
  for (const ScalingCurve& curve : scaling_curves(sides))
    curves.push_back({{"weak", curve.weak},
                      {"side", curve.side},
                      {"label", curve.label},
                      {"unit", curve.unit},
                      {"ranks", curve.ranks},
                      {"processors", curve.processors},
                      {"rates", curve.rates},
                      {"predicted", memstencil::to_record(curve.predicted)},
                      {"efficiency", curve.efficiency()}});
  return curves;
}

/// The model's prediction of each run: the rows of its tables, and the program.
Record model_record(const std::vector<Side>& sides) {
  Record runs = Record::array();
  for (const Table& table : predicted_and_measured(sides)) {
    const std::string program = table.title.substr(0, table.title.find(':'));
    const Record rows = to_record(table).at("rows");
    for (const Record& row : rows)
      runs.push_back({{"of", program},
                      {"machine", row.at("machine")},
                      {"case", row.at("case")},
                      {"predicted", row.at("predicted")},
                      {"measured", row.at("measured")}});
  }
  return runs;
}

}  // namespace

Plotter find_plotter() {
  // build/bin and build/share, or PREFIX/bin and PREFIX/share.
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const fs::path script = program.parent_path().parent_path() / "share/memstencil/plots/draw.py";
  if (!fs::exists(script))
    throw Failure(ExitCode::Other,
                  fmt::format("the scripts of the plots are not at {}", script.string()));
  const Workshop workshop(fs::temp_directory_path());
  constexpr int seconds = 120;  // file systems of clusters can be slow
  std::string why;
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const Ended tried = workshop.run_python(python, seconds, {script, "--check"}, "");
    if (tried.code == 0) return {python, script};
    why += fmt::format("; {}: {}", python, last_line(tried.errors));
  }
  throw Failure(
      ExitCode::Machine,
      "plots need a Python with h5py and matplotlib: install python3-h5py and python3-matplotlib "
      "(Debian), or py-h5py and py-matplotlib (Spack)" +
          why);
}

std::vector<Plot> draw(const Plotter& plotter, const Workshop& workshop, Pictures pictures,
                       const std::vector<Side>& sides, const std::vector<Reference>& references,
                       const Record& predictions) {
  std::vector<std::string> files;
  Record each_side = Record::array();
  for (const Side& side : sides) each_side.push_back(side_record(side, files));
  const Record plan{{"png", pictures == Pictures::SvgAndPng},
                    {"sides", each_side},
                    {"published", published_record(references)},
                    {"marks", marks_record(references, sides)},
                    {"scaling", scaling_record(sides)},
                    {"model", model_record(sides)},
                    {"predictions", predictions}};
  // Names of files and folders need not be UTF-8, as JSON has to be: they go as arguments. In
  // labels an odd byte is replaced.
  std::vector<std::string> arguments{plotter.script, workshop.path()};
  for (const std::string& file : files) arguments.push_back(fs::absolute(file));
  constexpr int seconds = 1800;  // a minute or two are usual for many runs on a busy machine
  const Ended drawn =
      workshop.run_python(plotter.python, seconds, arguments,
                          plan.dump(-1, ' ', false, Record::error_handler_t::replace));
  if (drawn.code != 0)
    throw Failure(ExitCode::Other,
                  fmt::format("drawing the plots failed: {}", last_line(drawn.errors)));
  std::vector<Plot> plots;
  for (const Record& plot : Record::parse(drawn.output))
    plots.push_back({.name = plot.at("name"),
                     .title = plot.at("title"),
                     .caption = plot.at("caption"),
                     .group = plot.at("group"),
                     .lead = plot.at("lead"),
                     .svg = plot.at("svg")});
  return plots;
}

}  // namespace memstencil::compare
