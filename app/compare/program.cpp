// compare as a whole: command line, result files, report, plots.
#include "app/compare/program.hpp"

#include "app/common/cli/version_text.hpp"
#include "app/common/machine/machine_description.hpp"
#include "app/compare/comparison.hpp"
#include "app/compare/energy.hpp"
#include "app/compare/explain.hpp"
#include "app/compare/model_errors.hpp"
#include "app/compare/options.hpp"
#include "app/compare/outputs.hpp"
#include "app/compare/plausibility.hpp"
#include "app/compare/predictions.hpp"
#include "app/compare/reference.hpp"
#include "app/compare/report.hpp"
#include "app/compare/run.hpp"
#include "app/compare/scaling.hpp"
#include "app/compare/side.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace memstencil::compare {

namespace {

constexpr const char* description =
    "Sets results of himeno, transpose and membench side by side, machine by machine, and says in numbers "
    "why they differ.";

std::string names(const std::vector<Side>& sides) {
  std::vector<std::string> labels;
  for (const Side& side : sides) labels.push_back(side.label);
  return fmt::format("{}", fmt::join(labels, " and "));
}

Report make_report(const std::vector<Side>& sides, const std::vector<Reference>& references) {
  Report report{.title = "memstencil: " + names(sides)};
  report.add({.title = "What is compared", .tables = {machines_table(sides), differing_facts(sides)}});
  report.add({.title = sides.size() > 1 ? "Side by side" : "Results", .tables = side_by_side(sides)});
  report.add({.title = "Why",
              .paragraphs = memory_spaces_in_words(sides),
              .tables = {why_they_differ(sides), where_time_goes(sides)}});
  report.add({.title = "Energy", .paragraphs = throttled_in_words(sides), .tables = {energy_table(sides)}});
  report.add({.title = "Model", .tables = predicted_and_measured(sides)});
  report.add({.title = "Scaling", .tables = {scaling_table(scaling_curves(sides))}});
  Section published{.title = "Published figures"};
  for (const Reference& reference : references) published.tables.push_back(published_table(reference, sides));
  report.add(published);
  report.add({.title = "Not compared", .tables = {only_one_has(sides)}});
  return report;
}

Report make_predictions(Predicted program, const std::vector<MachineDescription>& machines) {
  Report report{.title = "memstencil: predictions from descriptions"};
  Section section{.title = "Predictions"};
  for (const MachineDescription& machine : machines)
    section.tables.push_back(program == Predicted::Himeno ? predicted_himeno(machine)
                                                          : predicted_transpose(machine));
  report.add(section);
  return report;
}

std::string formatted(const Report& report, ReportFormat format) {
  if (format == ReportFormat::Json) return to_json(to_record(report));
  return format == ReportFormat::Markdown ? to_markdown(report) : to_text(report);
}

/// What is wrong with options that are each right by themselves.
void check(const Options& options) {
  if (options.predict) {
    if (options.machines.empty())
      throw Failure(ExitCode::Usage, "--predict needs a machine: --machine FILE.toml");
    if (!options.files.empty())
      throw Failure(ExitCode::Usage,
                    "--predict is of descriptions alone; where result files are named, their runs are "
                    "predicted anyway");
    if (!options.references.empty() || !options.plots.empty())
      throw Failure(ExitCode::Usage, "--predict goes with --machine, --html and --format alone");
  } else if (options.files.empty()) {
    throw Failure(ExitCode::Usage, "no result file is named: compare FILE.h5 ...");
  }
}

Report compared(const std::vector<Side>& sides, const std::vector<Reference>& references) {
  if (!anything_in_common(sides))
    throw Failure(ExitCode::Usage,
                  fmt::format("{} have no case in common: the same size, precision, kind of sweep, ranks, "
                              "threads, memory and iterations are wanted",
                              names(sides)));
  return make_report(sides, references);
}

}  // namespace

ExitCode run_compare(int argc, const char* const* argv) {
  Options options;
  CommandLine line("compare", description, version_text("compare"), Writes::Nothing);
  declare_options(line, options);
  if (const auto text = line.parse(argc, argv)) {
    print_result(*text);
    return ExitCode::Good;
  }
  check(options);
  std::vector<MachineDescription> machines;
  for (const std::string& path : options.machines) machines.push_back(read_machine_description(path));
  std::vector<Reference> references;
  for (const std::string& path : options.references) references.push_back(read_reference(path));
  const std::vector<Run> runs = read_runs(options.files);
  const std::vector<Side> sides = options.predict ? std::vector<Side>() : sides_of(runs, machines);
  const Report report =
      options.predict ? make_predictions(*options.predict, machines) : compared(sides, references);
  check_outputs(options, line.common().input);
  write_outputs(options, report, sides, references);
  for (const std::string& warning : above_theory(sides)) fmt::print(stderr, "compare: {}\n", warning);
  print_result(formatted(report, options.format));
  return ExitCode::Good;
}

}  // namespace memstencil::compare
