// memcompare: sets the results side by side, and says why they differ.
#include "app/base/cli/numbers.hpp"
#include "app/base/cli/options.hpp"
#include "app/base/machine/machine_description.hpp"
#include "app/base/machine/program_facts.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/output_file.hpp"
#include "app/compare/predict/predictions.hpp"
#include "app/compare/predict/rates.hpp"
#include "app/compare/read/side.hpp"
#include "app/compare/show/answer.hpp"
#include "app/compare/show/csv.hpp"
#include "app/compare/show/document.hpp"
#include "app/compare/show/page.hpp"
#include "app/compare/show/plots.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::compare {

namespace {

namespace fs = std::filesystem;

enum class ReportFormat { Text, Markdown, Json, Csv };
std::string_view name(ReportFormat format) {
  constexpr std::array names{"text", "markdown", "json", "csv"};
  return names.at(static_cast<std::size_t>(format));
}

/// The command line.
struct Options {
  std::vector<std::string> files;  ///< and folders
  std::vector<std::string> machines, references;
  std::optional<double> fail_above;  ///< percent
  std::string plots;                 ///< folder; empty: none
  std::string only;                  ///< the plot that is drawn; empty: all
  std::string html;                  ///< file; empty: none
  PredictedTask task;   ///< all of it but what is assumed; no application: results are compared
  std::string assume;   ///< file; empty: none
  bool full = false;    ///< text: all tables behind the screen; JSON: series, too
  bool probes = false;  ///< csv: points of membench
  bool force = false;
  ReportFormat format = ReportFormat::Text;
};

constexpr std::array all_formats{ReportFormat::Text, ReportFormat::Markdown, ReportFormat::Json,
                                 ReportFormat::Csv};

/// T of "temporal:T", 1 of "single". @throws std::invalid_argument
std::int64_t fused_sweeps(const std::string& sweep) {
  constexpr std::string_view temporal = "temporal:";
  if (sweep == "single") return 1;
  if (sweep.starts_with(temporal)) return parse_integer(sweep.substr(temporal.size()), 1, 64);
  throw std::invalid_argument(fmt::format("'{}' is none of single and temporal:T", sweep));
}

void declare_prediction(CommandLine& line, Options& options) {
  line.subject("Prediction");
  std::vector<std::string> names, sizes, steps;
  for (const Application& each : applications) {
    names.emplace_back(each.program);
    sizes.push_back(fmt::format("{} {}", each.program, each.size));
    steps.push_back(fmt::format("{} {}", each.program, each.steps));
  }
  line.custom(
      "--predict", fmt::format("{}", fmt::join(names, "|")),
      [&task = options.task, names](const std::string& typed) {
        task.application = &applications[CommandLine::index_of(typed, names)];
      },
      [] { return ""; },
      "Predict it for each --machine from its description; needs no result file");
  line.text("--size", options.task.size,
            fmt::format("A size as the program takes it, ROWSxCOLUMNS of transpose (default: {})",
                        fmt::join(sizes, ", ")))
      ->type_name("SIZE");
  line.integer("--iterations", options.task.iterations, std::int64_t{1}, std::int64_t{1000000000},
               fmt::format("Sweeps or transposes (default: {})", fmt::join(steps, ", ")));
  line.choice("--first-touch", options.task.first_touch, all_executors, "Who fills the arrays");
  line.flag("--prefetch", options.task.prefetch, "Pages are prefetched to the GPU");
  line.custom(
      "--sweep", "single|temporal:T",
      [&task = options.task](const std::string& typed) { task.fused = fused_sweeps(typed); },
      [] { return "single"; }, "Kind of sweep of a grid code");
  line.integer("--nodes", options.task.nodes, std::int64_t{0}, std::int64_t{100000},
               "Grid codes: also the scaling to N nodes; 0: to all of the machine's");
  line.text("--assume", options.assume,
            "Rates that neither membench nor a description has, inputs/assume/*.toml")
      ->type_name("FILE.toml");
}

void declare_options(CommandLine& line, Options& options) {
  line.subject("Comparison");
  line.texts("results", options.files,
             "Sides: a folder with all below it, or a file; NAME=PATH names it, and the same NAME "
             "again adds to it. The first is the base")
      ->type_name("[NAME=]FOLDER|FILE.h5");
  line.real(
          "--fail-above", options.fail_above, 0.0, 1e6,
          "End with code 5 if the last side is slower than the base by more than PERCENT with its "
          "whole 95 % interval; needs two processes of a case on both")
      ->type_name("PERCENT");
  line.texts("--machine", options.machines,
             "A machine's description, inputs/machines/*.toml; may be given for each machine")
      ->type_name("FILE.toml");
  line.texts("--reference", options.references,
             "Published figures, inputs/reference/*.toml; may be given again")
      ->type_name("FILE.toml");
  declare_prediction(line, options);
  line.subject(output_subject);
  line.text("--plots", options.plots,
            "Draw every plot that the results allow into this folder, as PNG, SVG and PDF")
      ->type_name("DIR");
  line.text("--only", options.only,
            fmt::format("With --plots: this one alone: {}", fmt::join(plot_names, ", ")))
      ->type_name("NAME");
  line.text("--html", options.html, "Write one self-contained page with tables and plots")
      ->type_name("FILE.html");
  line.flag("--full", options.full,
            "Print every table behind the screen (HTML has them always); JSON with all series");
  line.flag("--probes", options.probes, "With --format csv: the points of membench");
  line.flag("--force", options.force, "Replace plots and a page that exist");
  line.choice("--format", options.format, all_formats, "Form of the report on standard output");
  line.example("memcompare results/miyabi-g results/pegasus --html page.html",
               "two machines side by side, also as one HTML file with plots");
}

/// @throws Failure(Usage) for a combination of options that are each valid alone
void check(const Options& options) {
  const auto refuse = [](bool wrong, const std::string& line) {
    if (wrong) throw Failure(ExitCode::Usage, line);
  };
  const bool known = std::ranges::count(plot_names, options.only) > 0;
  refuse(!options.only.empty() && !known, fmt::format("--only: '{}' is no plot; valid are {}",
                                                      options.only, fmt::join(plot_names, ", ")));
  refuse(options.probes && options.format != ReportFormat::Csv, "--probes goes with --format csv");
  refuse(!options.only.empty() && options.plots.empty(), "--only goes with --plots DIR");
  if (const Application* predicted = options.task.application; predicted != nullptr) {
    refuse(options.machines.empty(), "--predict needs a machine: --machine FILE.toml");
    refuse(!options.files.empty(),
           "--predict is of descriptions alone; where result files are named, their runs are "
           "predicted anyway");
    refuse(!options.references.empty() || options.fail_above,
           "--reference and --fail-above are of results: they do not go with --predict");
    refuse(options.format == ReportFormat::Csv,
           "--format csv is of results: predictions have json");
    refuse(options.task.nodes && predicted->stencil == nullptr,
           fmt::format("--nodes goes with grid codes: scaling of {} is not predicted",
                       predicted->program));
    return;
  }
  refuse(!options.task.size.empty() || options.task.iterations || options.task.nodes ||
             options.task.prefetch || options.task.first_touch != Executor::Host ||
             options.task.fused != 1 || !options.assume.empty(),
         "--size, --iterations, --first-touch, --prefetch, --sweep, --nodes and --assume are of "
         "--predict; a result file has its own");
  refuse(options.files.empty(), "no result is named: memcompare FOLDER|FILE.h5 ...");
}

/// @param read files that the page must not replace, besides those that options name
/// @throws Failure(Other) for outputs that cannot be made; Failure(Usage)
void check_outputs(const Options& options, std::vector<std::string> read) {
  std::error_code error;
  if (!options.html.empty()) {
    read.push_back(options.assume);
    for (const auto* more : {&options.machines, &options.references})
      read.insert(read.end(), more->begin(), more->end());
    if (options.force) check_not_read(options.html, read);
    check_output_path(options.html, options.force ? Existing::Replace : Existing::Refuse);
  }
  if (options.plots.empty() || !fs::exists(options.plots, error)) return;
  if (!fs::is_directory(options.plots, error))
    throw Failure(ExitCode::Other, fmt::format("--plots: {} is no folder", options.plots));
  if (!options.force && (!fs::is_empty(options.plots, error) || error))
    throw Failure(ExitCode::Other,
                  fmt::format("--plots: {} is not empty; name another folder, or use --force to "
                              "replace plots in it",
                              options.plots));
}

std::vector<Picture> draw_for_page(const Options& options, const Record& answer) {
  try {
    return draw(answer, "", "");
  } catch (const Failure& failure) {
    // A page of predictions is worth having where no plot can be drawn.
    if (options.task.application == nullptr || failure.code() != ExitCode::Machine) throw;
    fmt::print(stderr, "memcompare: the page has no plot: {}\n", failure.what());
    return {};
  }
}

void write_outputs(const Options& options, const Record& answer, const Document& document) {
  std::vector<Picture> pictures;
  if (!options.plots.empty()) {
    pictures = draw(answer, options.only, options.plots);
    fmt::print(stderr, "memcompare: plots drawn as PNG, SVG and PDF: {}\n", pictures.size());
  }
  if (options.html.empty()) return;
  if (options.plots.empty() || !options.only.empty()) pictures = draw_for_page(options, answer);
  write_file(options.html, options.force ? Existing::Replace : Existing::Refuse,
             to_page(document, pictures));
  fmt::print(stderr, "memcompare: the page is {}\n", options.html);
}

/// @throws Failure(Usage) where two describe one machine
std::vector<MachineDescription> machines_of(const Options& options) {
  std::vector<MachineDescription> machines;
  std::set<std::string> names;
  for (const std::string& path : options.machines)
    if (!names.insert(machines.emplace_back(read_machine_description(path)).name).second)
      throw Failure(ExitCode::Usage, "--machine: " + machines.back().name + " is given twice");
  return machines;
}

/// Of standard output; 100 if it is no terminal.
std::size_t width_of_output() {
  constexpr std::size_t usual = 100, least = 60, most = 200;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return std::clamp<std::size_t>(size.ws_col, least, most);
}

/// Without the series of sweeps and probes, which are long.
Record without_series(Record answer) {
  for (Record& row : answer.at("cases")) row.erase("series");
  for (Record& probe : answer.at("probes"))
    for (Record& row : probe.at("rows")) row.erase("series");
  return answer;
}

std::string text_of(const Options& options, const Answer& answer, const Document& document) {
  if (!answer.screen) return to_text(document, options.full);
  std::string text = to_text(*answer.screen, width_of_output(), options.full);
  if (answer.screen->blocks.empty())
    text += to_text(std::vector<Section>(
        document.first.begin() + sections_of(*answer.screen).size(), document.first.end()));
  return text + (options.full ? to_text(document.rest)
                              : "--full prints every case, --html FILE makes a page of it.\n");
}

void report(const Options& options, const std::vector<std::string>& read, const Answer& answer) {
  const Document document = document_of(answer.record, answer.screen);
  check_outputs(options, read);
  write_outputs(options, answer.record, document);
  const bool all = options.full || !answer.screen;
  if (options.format == ReportFormat::Json)
    print_result(to_json(all ? answer.record : without_series(answer.record)));
  else
    print_result(printable(options.format == ReportFormat::Markdown
                               ? to_markdown(document)
                               : text_of(options, answer, document)));
}

ExitCode predict(const Options& options, const std::string& input) {
  PredictedTask task = options.task;
  if (!options.assume.empty()) task.assumed = model::assumed_rates(options.assume);
  report(options, {input}, {.record = predictions_of(task, machines_of(options))});
  return ExitCode::Good;
}

ExitCode compare(const Options& options, const std::string& input) {
  const auto machines = machines_of(options);
  std::vector<Reference> references;
  for (const std::string& path : options.references) references.push_back(read_reference(path));
  const std::vector<Run> runs = read_runs(options.files);
  const std::vector<Side> sides = sides_of(runs, machines);
  std::string slower;
  if (options.fail_above) slower = slower_than_allowed(sides, *options.fail_above / 100);
  std::vector<std::string> read{input};
  for (const Run& run : runs) read.push_back(run.file);
  if (options.format == ReportFormat::Csv)
    print_result(printable(options.probes ? probes_csv(sides) : runs_csv(sides)));
  else
    report(options, read, answer_of(sides, references));
  if (slower.empty()) return ExitCode::Good;
  fmt::print(stderr, "memcompare: {}\n", printable(slower));
  return ExitCode::Slower;
}

ExitCode run_compare(int argc, const char* const* argv) {
  Options options;
  CommandLine line("memcompare",
                   "Sets results of himeno, heat, transpose and membench side by side, and says in "
                   "numbers why they differ.",
                   version_text("memcompare"), Writes::Nothing);
  declare_options(line, options);
  if (const auto text = line.parse(argc, argv)) {
    print_result(*text);
    return ExitCode::Good;
  }
  check(options);
  const std::string& input = line.common().input;
  return options.task.application == nullptr ? compare(options, input) : predict(options, input);
}

}  // namespace

}  // namespace memstencil::compare

int main(int argc, char** argv) {
  const memstencil::Communicator
      communicator;  // alone: results are compared where MPI cannot start
  return memstencil::run_program("memcompare", communicator, [&] {
    return communicator.root() ? memstencil::compare::run_compare(argc, argv)
                               : memstencil::ExitCode::Good;
  });
}
