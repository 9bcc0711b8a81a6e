// memcompare's command line, as a struct.
#include "app/compare/options.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/compare/read/sample.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace memstencil::compare {

namespace {

constexpr std::array all_formats{ReportFormat::Text, ReportFormat::Markdown, ReportFormat::Json,
                                 ReportFormat::Csv};

/// @throws std::invalid_argument with the words of himeno
int fused_sweeps(const std::string& typed) {
  if (const auto fused = fused_of(lower_case(typed))) return *fused;
  throw std::invalid_argument(
      fmt::format("'{}' is not a kind of sweep: valid are single, temporal:T with T from 2 to {}",
                  typed, most_fused));
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
  line.choice("--first-touch", options.first_touch, all_executors,
              "Processor that initialises the arrays (default: host)");
  line.flag("--prefetch", options.task.prefetch, "Pages are prefetched to the GPU");
  line.custom(
      "--sweep", "single|temporal:T",
      [&task = options.task](const std::string& typed) { task.fused = fused_sweeps(typed); },
      [] { return ""; }, "himeno's kind of sweep (default: each that can be predicted)");
  line.integer("--nodes", options.task.nodes, std::int64_t{0}, std::int64_t{100000},
               "Grid codes: number of nodes up to which scaling is predicted\n0: the machine's");
  line.text("--assume", options.assume,
            "Rates that neither membench nor a description has, inputs/assume/*.toml")
      ->type_name("FILE.toml");
}

}  // namespace

std::string_view name(ReportFormat format) {
  constexpr std::array names{"text", "markdown", "json", "csv"};
  return names.at(static_cast<std::size_t>(format));
}

void declare_options(CommandLine& line, Options& options) {
  line.subject("Comparison");
  line.texts("results", options.files,
             "Sides: a folder with all below it, or a file; NAME=PATH names it, and the same NAME "
             "again adds to it. The first is the base")
      ->type_name("[NAME=]FOLDER|FILE.h5");
  line.flag("--known", options.known,
            "Is this normal? The results of one machine next to the kept sample of the same GPU");
  line.real("--fail-above", options.fail_above, 0.0, 1e6,
            "Percent by which the last side may be slower than the base\nThe program ends with "
            "code 5 if the whole 95 % interval is beyond; needs two processes of a case on both");
  line.texts(
          "--machine", options.machines,
          "A machine's description: the name of an installed one, or inputs/machines/*.toml; may "
          "be given for each machine")
      ->type_name("NAME|FILE.toml");
  line.texts("--reference", options.references,
             "Published figures, inputs/reference/*.toml; may be given again")
      ->type_name("FILE.toml");
  declare_prediction(line, options);
  line.subject(output_subject);
  line.text("--plots", options.plots,
            "Draw every plot that the results allow into this folder, as PNG, SVG and PDF")
      ->type_name("DIR");
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

void check(const Options& options) {
  const auto refuse = [](bool wrong, const std::string& line) {
    if (wrong) throw Failure(ExitCode::Usage, line);
  };
  constexpr std::string_view himeno = "himeno";
  const bool csv = options.format == ReportFormat::Csv;
  refuse(options.probes && !csv, "--probes goes with --format csv");
  refuse(csv && (options.task.application != nullptr || options.full || !options.html.empty() ||
                 !options.plots.empty()),
         "--format csv has rows of results alone: without --predict, --full, --html and --plots");
  if (const Application* predicted = options.task.application; predicted != nullptr) {
    refuse(options.machines.empty(), "--predict needs a machine: --machine NAME|FILE.toml");
    refuse(!options.files.empty(),
           "--predict is of descriptions alone; where result files are named, their runs are "
           "predicted anyway");
    refuse(options.fail_above || options.known,
           "--fail-above and --known are of results: they do not go with --predict");
    refuse(options.task.fused && predicted->program != himeno,
           fmt::format("--sweep goes with --predict himeno: {} has one kind", predicted->program));
    refuse(options.task.nodes && !predicted->is_grid(),
           fmt::format("--nodes goes with grid codes: scaling of {} is not predicted",
                       predicted->program));
    return;
  }
  refuse(!options.task.size.empty() || options.task.iterations || options.task.nodes ||
             options.task.prefetch || options.first_touch || options.task.fused ||
             !options.assume.empty(),
         "--size, --iterations, --first-touch, --prefetch, --sweep, --nodes and --assume are of "
         "--predict; a result file has its own");
  refuse(options.known && (options.fail_above || !options.references.empty() ||
                           !options.html.empty() || !options.plots.empty() || csv),
         "--known is a table: it goes with --format text, markdown or json, and without "
         "--fail-above, --reference, --html and --plots");
  refuse(options.files.empty(), "no result is named: memcompare FOLDER|FILE.h5 ...");
}

}  // namespace memstencil::compare
