// memcompare: sets the results side by side, and says why they differ.
#include "app/base/cli/version_text.hpp"
#include "app/base/machine/machine_description.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/runtime/printable.hpp"
#include "app/compare/comparison.hpp"
#include "app/compare/counterparts.hpp"
#include "app/compare/energy.hpp"
#include "app/compare/explain.hpp"
#include "app/compare/facts.hpp"
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
#include "app/compare/size_dips.hpp"
#include "app/compare/summary.hpp"
#include "app/compare/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace memstencil::compare {

namespace {

constexpr const char* program_description =
    "Sets results of himeno, transpose and membench side by side, machine by machine, and says in "
    "numbers why they differ.";

std::string names(const std::vector<Side>& sides) {
  std::vector<std::string> labels;
  for (const Side& side : sides) labels.push_back(side.label);
  return fmt::format("{}", fmt::join(labels, " and "));
}

Report make_report(const std::vector<Side>& sides, const std::vector<Reference>& references) {
  const std::vector<Table> models = predicted_and_measured(sides);
  Report report{.title = "memstencil: " + names(sides), .summary = summary_of(sides, models)};
  if (!references.empty())
    report.summary.push_back(
        {.title = "Beside published figures", .paragraphs = published_in_words(references, sides)});
  add(report.sections,
      {.title = "What is compared", .tables = {machines_table(sides), differing_facts(sides)}});
  add(report.sections,
      {.title = sides.size() > 1 ? "Side by side" : "Results", .tables = side_by_side(sides)});
  add(report.sections, {.title = "Over the size of the matrix", .tables = {dips_table(sides)}});
  Section why{.title = "Why", .tables = all_rankings(sides)};
  why.tables.push_back(why_they_differ(sides));
  why.tables.push_back(where_time_goes(sides));
  add(report.sections, why);
  add(report.sections, {.title = "Energy",
                        .paragraphs = throttled_in_words(sides),
                        .tables = {energy_table(sides)}});
  add(report.sections, {.title = "Model", .tables = models});
  add(report.sections, {.title = "Scaling", .tables = {scaling_table(scaling_curves(sides))}});
  Section published{.title = "Published figures"};
  for (const Reference& reference : references)
    published.tables.push_back(published_table(reference, sides));
  add(report.sections, published);
  add(report.sections, {.title = "Not compared", .tables = {only_one_has(sides)}});
  add(report.sections, words());
  return report;
}

std::string formatted(const Report& report, const Options& options) {
  if (options.format == ReportFormat::Json) return to_json(to_record(report));
  if (options.format == ReportFormat::Markdown) return printable(to_markdown(report));
  return printable(to_text(report, options.full ? Extent::Full : Extent::Summary));
}

/// The error in a combination of options that are each valid alone; empty if there is none.
void check(const Options& options) {
  if (options.predict) {
    if (options.machines.empty())
      throw Failure(ExitCode::Usage, "--predict needs a machine: --machine FILE.toml");
    if (!options.files.empty())
      throw Failure(ExitCode::Usage,
                    "--predict is of descriptions alone; where result files are named, their "
                    "runs are predicted anyway");
    if (!options.references.empty())
      throw Failure(ExitCode::Usage,
                    "--reference is set beside runs: it does not go with --predict");
    if (options.nodes && *options.predict != Predicted::Himeno)
      throw Failure(ExitCode::Usage, "--nodes goes with --predict himeno alone");
  } else if (!options.size.empty() || options.iterations || options.nodes) {
    throw Failure(ExitCode::Usage,
                  "--size, --iterations and --nodes are of --predict; a result file has its own");
  } else if (options.files.empty()) {
    throw Failure(ExitCode::Usage, "no result is named: memcompare FOLDER|FILE.h5 ...");
  }
}

Report compared(const std::vector<Side>& sides, const std::vector<Reference>& references) {
  if (!anything_in_common(sides))
    throw Failure(
        ExitCode::Usage,
        fmt::format("{} have no case in common: the same size, precision, kind of sweep, ranks, "
                    "path of messages, threads, memory and iterations are wanted",
                    names(sides)));
  return make_report(sides, references);
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
  std::vector<MachineDescription> machines;
  for (const std::string& path : options.machines)
    machines.push_back(read_machine_description(path));
  std::vector<Reference> references;
  for (const std::string& path : options.references) references.push_back(read_reference(path));
  const std::vector<Run> runs = read_runs(options.files);
  std::vector<Side> sides;
  Report report;
  Record predictions;
  if (options.predict) {
    const PredictedRun run{std::string(name(*options.predict)), options.size, options.iterations,
                           options.nodes};
    report = predicted_report(run, machines);
    if (!options.plots.empty() || !options.html.empty())
      predictions = predictions_to_draw(run, machines);
  } else {
    sides = sides_of(runs, machines, options.by);
    report = compared(sides, references);
  }
  check_outputs(options, line.common().input);
  write_outputs(options, report, sides, references, predictions);
  for (const std::string& warning : above_theory(sides))
    fmt::print(stderr, "memcompare: {}\n", printable(warning));
  print_result(formatted(report, options));
  return ExitCode::Good;
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
