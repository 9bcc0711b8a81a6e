// memcompare's command line, as a struct.
#include "app/compare/options.hpp"

#include "app/base/cli/help_text.hpp"

#include <array>

namespace memstencil::compare {

namespace {

constexpr std::array all_formats{ReportFormat::Text, ReportFormat::Markdown, ReportFormat::Json};

constexpr std::array all_by{By::Folder, By::Machine, By::File};

constexpr std::array all_predicted{Predicted::Himeno, Predicted::Transpose};

}  // namespace

std::string_view name(Predicted program) {
  return program == Predicted::Himeno ? "himeno" : "transpose";
}

std::string_view name(ReportFormat format) {
  switch (format) {
    case ReportFormat::Text:
      return "text";
    case ReportFormat::Markdown:
      return "markdown";
    case ReportFormat::Json:
      return "json";
  }
  return "";
}

void declare_options(CommandLine& line, Options& options) {
  line.subject("Comparison");
  line.texts("results", options.files,
             "Folders of result files, each of which is a side, and result files")
      ->type_name("FOLDER|FILE.h5");
  line.texts("--machine", options.machines,
             "A machine's theory, inputs/machines/*.toml; may be given for each machine")
      ->type_name("FILE.toml");
  line.texts("--reference", options.references,
             "Published figures, inputs/reference/*.toml; may be given again")
      ->type_name("FILE.toml");
  line.choice("--by", options.by, all_by,
              "What is set side by side (default: each folder that is named, and machine and site "
              "of files that are named by themselves)");
  line.choice("--predict", options.predict, all_predicted,
              "Predict it for each --machine from its description; needs no result file");
  line.text("--size", options.size,
            "With --predict: himeno's XS to XL (default) or IxJxK, transpose's N (default "
            "32768) or ROWSxCOLUMNS")
      ->type_name("SIZE");
  line.integer("--iterations", options.iterations, std::int64_t{1}, std::int64_t{1000000000},
               "With --predict: sweeps (default 3000) or transposes (default 100)");
  line.integer("--nodes", options.nodes, std::int64_t{0}, std::int64_t{100000},
               "With --predict himeno: also the scaling to N nodes; 0: to all of the machine's");
  line.subject(output_subject);
  line.text("--plots", options.plots,
            "Draw every plot that the results allow into this folder, as PNG and SVG")
      ->type_name("DIR");
  line.text("--html", options.html, "Write one self-contained report with tables and plots")
      ->type_name("FILE.html");
  line.flag("--full", options.full,
            "Print every table behind the summary (Markdown, JSON and HTML have them always)");
  line.flag("--force", options.force, "Replace plots and a report that exist");
  line.choice("--format", options.format, all_formats, "Form of the report on standard output");
  line.example("memcompare results/miyabi results/pegasus --html report.html",
               "two machines side by side, also as one HTML file with plots");
}

}  // namespace memstencil::compare
