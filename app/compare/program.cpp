// memcompare: sets the results side by side, and says why they differ.
#include "app/base/machine/machine_description.hpp"
#include "app/base/program/version_text.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/output_file.hpp"
#include "app/base/runtime/printable.hpp"
#include "app/compare/answer.hpp"
#include "app/compare/document.hpp"
#include "app/compare/model/sources.hpp"
#include "app/compare/options.hpp"
#include "app/compare/page.hpp"
#include "app/compare/predictions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace memstencil::compare {

namespace {

namespace fs = std::filesystem;

constexpr const char* program_description =
    "Sets results of himeno, heat, transpose and membench side by side, and says in numbers why "
    "they differ.";

std::size_t base_of(const std::vector<Side>& sides, const std::string& name) {
  if (name.empty()) return 0;
  std::vector<std::string> names;
  for (const Side& side : sides) names.push_back(side.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Failure(ExitCode::Usage, fmt::format("--base: '{}' is no side; valid are {}", name,
                                               fmt::join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

std::string formatted(const Record& answer, const Document& document, const Options& options) {
  if (options.format == ReportFormat::Json) return to_json(answer);
  if (options.format == ReportFormat::Markdown) return printable(to_markdown(document));
  return printable(to_text(document, options.full));
}

Existing existing(const Options& options) {
  return options.force ? Existing::Replace : Existing::Refuse;
}

/// Before anything is drawn. @returns the Python that draws, or why there is none
/// @throws Failure(Other) for outputs that cannot be made, Failure(Machine) without a Python
std::optional<Python> check_outputs(const Options& options, std::vector<std::string> read) {
  std::error_code error;
  if (!options.html.empty()) {
    for (const auto* more : {&options.files, &options.machines, &options.references})
      read.insert(read.end(), more->begin(), more->end());
    if (options.force) check_not_read(options.html, read);
    check_output_path(options.html, existing(options));
  }
  if (!options.plots.empty() && fs::exists(options.plots, error)) {
    if (!fs::is_directory(options.plots, error))
      throw Failure(ExitCode::Other, fmt::format("--plots: {} is no folder", options.plots));
    if (!options.force && (!fs::is_empty(options.plots, error) || error))
      throw Failure(ExitCode::Other,
                    fmt::format("--plots: {} is not empty; name another folder, or use --force to "
                                "replace plots in it",
                                options.plots));
  }
  try {
    return find_python();
  } catch (const Failure& failure) {
    // A page of predictions is worth having where no plot can be drawn.
    if (options.predict.empty() || !options.plots.empty()) throw;
    fmt::print(stderr, "memcompare: the page has no plot: {}\n", failure.what());
    return {};
  }
}

void write_outputs(const Options& options, const std::string& input, const Record& answer,
                   const Document& document) {
  if (options.html.empty() && options.plots.empty()) return;
  const std::optional<Python> python = check_outputs(options, {input});
  std::vector<Picture> pictures;
  if (!options.plots.empty()) {
    std::error_code error;
    const bool made = fs::create_directories(options.plots, error);
    if (error)
      throw Failure(ExitCode::Other,
                    fmt::format("--plots: cannot make {}: {}", options.plots, error.message()));
    try {
      pictures = draw(*python, answer, options.only, options.plots, true);
    } catch (...) {
      if (made) fs::remove(options.plots, error);
      throw;
    }
    fmt::print(stderr, "memcompare: plots drawn as PNG, SVG and PDF: {}\n", pictures.size());
  }
  if (options.html.empty()) return;
  if (python && (options.plots.empty() || !options.only.empty()))
    pictures = draw(*python, answer, "", fs::temp_directory_path(), false);
  write_file(options.html, existing(options), page_of(document, pictures));
  fmt::print(stderr, "memcompare: the page is {}\n", options.html);
}

std::vector<MachineDescription> descriptions(const Options& options) {
  std::vector<MachineDescription> machines;
  for (const std::string& path : options.machines)
    machines.push_back(read_machine_description(path));
  return machines;
}

void report(const Options& options, const std::string& input, const Record& answer) {
  const Document document = document_of(answer);
  write_outputs(options, input, answer, document);
  print_result(formatted(answer, document, options));
}

ExitCode predict(const Options& options, const std::string& input) {
  PredictedTask task{
      application(options.predict), options.size, options.iterations, options.nodes, {}};
  if (!options.assume.empty()) task.assumed = model::assumed_rates(options.assume);
  report(options, input, predictions_of(task, descriptions(options)));
  return ExitCode::Good;
}

ExitCode compare(const Options& options, const std::string& input) {
  const std::vector<MachineDescription> machines = descriptions(options);
  std::vector<Reference> references;
  for (const std::string& path : options.references) references.push_back(read_reference(path));
  const std::vector<Run> runs = read_runs(options.files);
  const std::vector<Side> sides = sides_of(runs, machines, options.by);
  const std::size_t base = base_of(sides, options.base);
  std::string slower;
  if (options.fail_above) slower = slower_than_allowed(sides, base, *options.fail_above / 100);
  report(options, input, answer_of(sides, base, references));
  if (slower.empty()) return ExitCode::Good;
  fmt::print(stderr, "memcompare: {}\n", printable(slower));
  return ExitCode::Slower;
}

ExitCode run_compare(int argc, const char* const* argv) {
  Options options;
  CommandLine line("memcompare", program_description, version_text("memcompare"), Writes::Nothing);
  declare_options(line, options);
  if (const auto text = line.parse(argc, argv)) {
    print_result(*text);
    return ExitCode::Good;
  }
  check(options);
  const std::string& input = line.common().input;
  return options.predict.empty() ? compare(options, input) : predict(options, input);
}

}  // namespace

}  // namespace memstencil::compare

int main(int argc, char** argv) {
  const memstencil::ParallelRuntime runtime(argc, argv);
  const memstencil::Communicator communicator;
  return memstencil::run_program("memcompare", communicator, [&] {
    return communicator.root() ? memstencil::compare::run_compare(argc, argv)
                               : memstencil::ExitCode::Good;
  });
}
