// The files that compare writes: the folder of plots and the HTML report.
#include "app/compare/outputs.hpp"

#include "app/base/record/output_file.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/compare/html.hpp"
#include "app/compare/plots.hpp"
#include "app/compare/workshop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace memstencil::compare {

namespace {

namespace fs = std::filesystem;

/// Looked for once: each look starts a Python.
const Plotter& plotter() {
  static const Plotter found = find_plotter();
  return found;
}

std::vector<Plot> drawn(const Options& options, const std::vector<Side>& sides,
                        const std::vector<Reference>& references, const Record& predictions) {
  const Workshop workshop(options.plots.empty() ? fs::temp_directory_path()
                                                : fs::path(options.plots));
  const Pictures pictures = options.plots.empty() ? Pictures::Svg : Pictures::SvgAndPng;
  std::vector<Plot> plots = draw(plotter(), workshop, pictures, sides, references, predictions);
  if (!options.plots.empty())
    for (const auto& entry : fs::directory_iterator(workshop.path()))
      if (entry.is_regular_file())
        fs::rename(entry.path(), fs::path(options.plots) / entry.path().filename());
  return plots;
}

/// A page of predictions is worth having where no plot can be drawn: login nodes may lack
/// matplotlib.
std::vector<Plot> drawn_if_possible(const Options& options, const Record& predictions) {
  try {
    plotter();
  } catch (const Failure& failure) {
    fmt::print(stderr, "memcompare: the report has no plot: {}\n", failure.what());
    return {};
  }
  return drawn(options, {}, {}, predictions);
}

Existing existing(const Options& options) {
  return options.force ? Existing::Replace : Existing::Refuse;
}

void check_report(const Options& options, std::vector<std::string> read) {
  for (const auto* more : {&options.files, &options.machines, &options.references})
    read.insert(read.end(), more->begin(), more->end());
  if (options.force) check_not_read(options.html, read);
  check_output_path(options.html, existing(options));
}

/// But for workshops: those of killed runs are removed when this one draws.
bool holds_something(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  return error || std::any_of(begin(entry), end(entry), [](const fs::directory_entry& each) {
           return !Workshop::is_named(each.path());
         });
}

void check_plots_folder(const Options& options) {
  std::error_code error;
  if (fs::exists(options.plots, error) && !fs::is_directory(options.plots, error))
    throw Failure(ExitCode::Other, fmt::format("--plots: {} is no folder", options.plots));
  if (fs::exists(options.plots, error) && holds_something(options.plots) && !options.force)
    throw Failure(
        ExitCode::Other,
        fmt::format(
            "--plots: {} is not empty; name another folder, or use --force to replace plots in it",
            options.plots));
}

/// False where it is there.
bool make_plots_folder(const std::string& path) {
  std::error_code error;
  const bool made = fs::create_directories(path, error);
  if (error)
    throw Failure(ExitCode::Other,
                  fmt::format("--plots: cannot make {}: {}", path, error.message()));
  return made;
}

/// Where drawing fails it leaves no empty folder.
std::vector<Plot> drawn_into_folder(const Options& options, const std::vector<Side>& sides,
                                    const std::vector<Reference>& references,
                                    const Record& predictions) {
  const bool made = make_plots_folder(options.plots);
  try {
    return drawn(options, sides, references, predictions);
  } catch (...) {
    std::error_code unknown;
    if (made) fs::remove(options.plots, unknown);
    throw;
  }
}

}  // namespace

void check_outputs(const Options& options, const std::string& input) {
  if (options.html.empty() && options.plots.empty()) return;
  // Errors of the command line come before what the machine lacks: it
  // is refused alike everywhere.
  if (!options.html.empty()) check_report(options, {input});
  if (!options.plots.empty()) check_plots_folder(options);
  if (!options.predict || !options.plots.empty()) plotter();
  if (!options.plots.empty() && make_plots_folder(options.plots)) fs::remove(options.plots);
}

void write_outputs(const Options& options, const Report& report, const std::vector<Side>& sides,
                   const std::vector<Reference>& references, const Record& predictions) {
  if (options.html.empty() && options.plots.empty()) return;
  const std::vector<Plot> plots =
      !options.plots.empty() ? drawn_into_folder(options, sides, references, predictions)
      : options.predict      ? drawn_if_possible(options, predictions)
                             : drawn(options, sides, references, predictions);
  if (!options.plots.empty())
    fmt::print(stderr, "memcompare: plots drawn as PNG and SVG: {}\n", plots.size());
  if (options.html.empty()) return;
  write_file(options.html, existing(options), to_html(report, plots));
  fmt::print(stderr, "memcompare: the report is {}\n", options.html);
}

}  // namespace memstencil::compare
