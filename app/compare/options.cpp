// memcompare's command line, as a struct.
#include "app/compare/options.hpp"

#include "app/compare/applications.hpp"
#include "app/compare/pictures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>

namespace memstencil::compare {

namespace {

constexpr std::array all_formats{ReportFormat::Text, ReportFormat::Markdown, ReportFormat::Json};
constexpr std::array all_by{By::Folder, By::Machine, By::File};

std::vector<std::string> predicted_programs() {
  std::vector<std::string> names;
  for (const Application& each : applications()) names.emplace_back(each.program);
  return names;
}

void declare_prediction(CommandLine& line, Options& options) {
  line.subject("Prediction");
  line.text("--predict", options.predict,
            "Predict it for each --machine from its description; needs no result file")
      ->type_name(fmt::format("{}", fmt::join(predicted_programs(), "|")));
  std::string sizes, steps;
  for (const Application& each : applications()) {
    sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", each.program, each.size);
    steps += fmt::format("{}{} {}", steps.empty() ? "" : ", ", each.program, each.steps);
  }
  line.text("--size", options.size,
            fmt::format("A size as the program takes it, ROWSxCOLUMNS of transpose (default: {})",
                        sizes))
      ->type_name("SIZE");
  line.integer("--iterations", options.iterations, std::int64_t{1}, std::int64_t{1000000000},
               fmt::format("Sweeps or transposes (default: {})", steps));
  line.integer("--nodes", options.nodes, std::int64_t{0}, std::int64_t{100000},
               "Grid codes: also the scaling to N nodes; 0: to all of the machine's");
  line.text("--assume", options.assume,
            "Rates that neither membench nor a description has, inputs/assume/*.toml")
      ->type_name("FILE.toml");
}

}  // namespace

std::string_view name(ReportFormat format) {
  constexpr std::array names{"text", "markdown", "json"};
  return names.at(static_cast<std::size_t>(format));
}

void declare_options(CommandLine& line, Options& options) {
  line.subject("Comparison");
  line.texts("results", options.files,
             "Folders of result files, each of which is a side, and result files")
      ->type_name("FOLDER|FILE.h5");
  line.text("--base", options.base, "The side that the others are set against (default: the first)")
      ->type_name("NAME");
  line.choice("--by", options.by, all_by,
              "What is a side (default: each folder that is named, and machine and site of files "
              "that are named by themselves)");
  line.real("--fail-above", options.fail_above, 0.0, 1e6,
            "End with code 5 where the last side is slower than the base by more than so many "
            "percent, and by more than the spread of equal runs")
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
            "Print every table behind the first screen (Markdown and HTML have them always)");
  line.flag("--force", options.force, "Replace plots and a page that exist");
  line.choice("--format", options.format, all_formats, "Form of the report on standard output");
  line.example("memcompare results/miyabi-g results/pegasus --html page.html",
               "two machines side by side, also as one HTML file with plots");
}

void check(const Options& options) {
  const auto refuse = [](bool wrong, const std::string& line) {
    if (wrong) throw Failure(ExitCode::Usage, line);
  };
  const bool known =
      std::find(plot_names.begin(), plot_names.end(), options.only) != plot_names.end();
  refuse(!options.only.empty() && !known, fmt::format("--only: '{}' is no plot; valid are {}",
                                                      options.only, fmt::join(plot_names, ", ")));
  refuse(!options.only.empty() && options.plots.empty(), "--only goes with --plots DIR");
  if (!options.predict.empty()) {
    const Application* predicted = application(options.predict);
    refuse(predicted == nullptr, fmt::format("--predict: '{}' is not one of {}", options.predict,
                                             fmt::join(predicted_programs(), ", ")));
    refuse(options.machines.empty(), "--predict needs a machine: --machine FILE.toml");
    refuse(!options.files.empty(),
           "--predict is of descriptions alone; where result files are named, their runs are "
           "predicted anyway");
    refuse(!options.references.empty() || options.fail_above || !options.base.empty(),
           "--reference, --base and --fail-above are of results: they do not go with --predict");
    refuse(options.nodes && predicted->stencil == nullptr,
           fmt::format("--nodes goes with grid codes: {} is none", options.predict));
    return;
  }
  refuse(!options.size.empty() || options.iterations || options.nodes || !options.assume.empty(),
         "--size, --iterations, --nodes and --assume are of --predict; a result file has its own");
  refuse(options.files.empty(), "no result is named: memcompare FOLDER|FILE.h5 ...");
}

}  // namespace memstencil::compare
