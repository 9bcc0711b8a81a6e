// memcompare: sets the results side by side, and says why they differ.
#include "app/base/cli/options.hpp"
#include "app/base/machine/program_facts.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/compare/show/show.hpp"

#include <sys/ioctl.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

namespace memstencil::compare {

enum class ReportFormat { Text, Markdown, Json, Csv };
constexpr std::array format_names{"text", "markdown", "json", "csv"};

std::string_view name(ReportFormat format) {
  return format_names.at(static_cast<std::size_t>(format));
}

namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> files;  ///< and folders
  std::vector<std::string> machines, references;
  std::optional<double> fail_above;  ///< percent
  Outputs outputs;
  PredictedTask task;  ///< all of it but what is assumed; no application: results are compared
  std::string assume, input;  ///< files; empty: none
  bool full = false;          ///< text: all tables behind the screen; JSON: series, too
  bool probes = false;        ///< csv: points of membench
  bool known = false;         ///< next to the kept sample of the same GPU
  ReportFormat format = ReportFormat::Text;
};

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
  line.choice("--first-touch", options.task.first_touch, all_executors,
              "Processor that initialises the arrays (default: host)");
  line.flag("--prefetch", options.task.prefetch, "Pages are prefetched to the GPU");
  line.custom(
      "--sweep", "single|temporal:T",
      [&task = options.task](const std::string& typed) {
        task.fused = fused_of(lower_case(typed));
        if (!task.fused)
          throw std::invalid_argument(fmt::format(
              "'{}' is not a kind of sweep: valid are single, temporal:T with T from 2 to {}",
              typed, most_fused));
      },
      [] { return ""; }, "himeno's kind of sweep (default: each that can be predicted)");
  line.integer("--nodes", options.task.nodes, std::int64_t{0}, std::int64_t{100000},
               "Grid codes: number of nodes up to which scaling is predicted\n0: the machine's");
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
  line.text("--plots", options.outputs.plots,
            "Draw every plot that the results allow into this folder, as PNG, SVG and PDF")
      ->type_name("DIR");
  line.text("--html", options.outputs.html, "Write one self-contained page with tables and plots")
      ->type_name("FILE.html");
  line.flag("--full", options.full,
            "Print every table behind the screen (HTML has them always); JSON with all series");
  line.flag("--probes", options.probes, "With --format csv: the points of membench");
  line.flag("--force", options.outputs.force, "Replace plots and a page that exist");
  line.choice("--format", options.format, kinds<ReportFormat>(format_names),
              "Form of the report on standard output");
  line.example("memcompare results/miyabi-g results/pegasus --html page.html",
               "two machines side by side, also as one HTML file with plots");
}

void check(const Options& options) {
  const PredictedTask& task = options.task;
  const bool predicted = task.application != nullptr, csv = options.format == ReportFormat::Csv,
             files = !options.outputs.html.empty() || !options.outputs.plots.empty(),
             of_prediction = !task.size.empty() || task.iterations || task.nodes || task.prefetch ||
                             task.first_touch || task.fused || !options.assume.empty();
  const std::string program = predicted ? task.application->program : "";
  const std::pair<bool, std::string> refusals[]{
      {options.probes && !csv, "--probes goes with --format csv"},
      {csv && (predicted || options.full || files),
       "--format csv has rows of results alone: without --predict, --full, --html and --plots"},
      {predicted && options.machines.empty(),
       "--predict needs a machine: --machine NAME|FILE.toml"},
      {predicted && !options.files.empty(),
       "--predict is of descriptions alone: without result files"},
      {predicted && (options.fail_above || options.known),
       "--fail-above and --known are of results: without --predict"},
      {predicted && task.fused && program != model::himeno.program,
       fmt::format("--sweep goes with --predict himeno: {} has one kind", program)},
      {predicted && task.nodes && !task.application->is_grid(),
       fmt::format("--nodes goes with grid codes: scaling of {} is not predicted", program)},
      {!predicted && of_prediction,
       "--size, --iterations, --first-touch, --prefetch, --sweep, --nodes and --assume are of "
       "--predict; a result file has its own"},
      {options.known && (options.fail_above || !options.references.empty() || files || csv),
       "--known is a table: without --fail-above, --reference, --html, --plots, --format csv"},
      {!predicted && options.files.empty(), "no result is named: memcompare FOLDER|FILE.h5 ..."}};
  for (const auto& [refused, why] : refusals)
    if (refused) throw Failure(ExitCode::Usage, why);
}

/// The description that --machine names: a path (with a slash, or the ending .toml), or the name of
/// an installed one.
/// @throws Failure(Usage) with the names that are valid
std::string machine_file(const std::string& named) {
  const std::string ending = ".toml";
  if (named.find('/') != named.npos || named.ends_with(ending)) return named;
  const fs::path folder = shared_file("machines");
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ending) names.push_back(entry.path().stem());
  std::ranges::sort(names);
  try {
    return folder / (names[CommandLine::index_of(named, names)] + ending);
  } catch (const std::invalid_argument& none) {
    throw Failure(ExitCode::Usage, fmt::format("--machine: {}", none.what()));
  }
}

/// @throws Failure(Usage) if two describe one machine
std::vector<MachineDescription> machines_of(const Options& options) {
  std::vector<MachineDescription> machines;
  for (const std::string& path : options.machines) {
    const MachineDescription machine = read_machine_description(machine_file(path));
    if (std::ranges::count(machines, machine.name, &MachineDescription::name) > 0)
      throw Failure(ExitCode::Usage, "--machine: " + machine.name + " is given twice");
    machines.push_back(machine);
  }
  return machines;
}

/// Of standard output; 100 if it is no terminal.
std::size_t width_of_output() {
  constexpr std::size_t usual = 100, least = 60, most = 200;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return std::clamp<std::size_t>(size.ws_col, least, most);
}

void print(ReportFormat format, const Record& json, const std::string& markdown,
           const std::string& text) {
  if (format == ReportFormat::Json)
    print_result(to_json(json));
  else
    print_result(printable(format == ReportFormat::Markdown ? markdown : text));
}

/// @param read files that no output must replace, besides those that options name
void report(const Options& options, std::vector<std::string> read, Record answer) {
  read.insert(read.end(), {options.assume, options.input});
  for (const auto* more : {&options.machines, &options.references})
    read.insert(read.end(), more->begin(), more->end());
  write_outputs(options.outputs, answer, read);
  const std::string markdown =
      "# " + text(answer, "title") + "\n" + to_markdown(first_sections(answer));
  const std::string screen = to_text(answer, width_of_output(), options.full);
  if (!options.full) {  // series of sweeps and probes are long
    for (Record& row : answer["cases"]) row.erase("series");
    for (Record& probe : answer["probes"])
      for (Record& row : probe["rows"]) row.erase("series");
  }
  print(options.format, answer, markdown, screen);
}

ExitCode compare(const Options& options, const std::vector<MachineDescription>& machines,
                 const std::vector<Reference>& references) {
  const std::vector<Run> runs = read_runs(options.files);
  const std::vector<Side> sides = sides_of(runs, machines);
  std::string slower;
  if (options.fail_above) slower = slower_than_allowed(sides, *options.fail_above / 100);
  if (options.format == ReportFormat::Csv) {
    const std::string csv = options.probes ? probes_csv(sides) : runs_csv(sides);
    if (csv.empty())
      throw Failure(ExitCode::Usage,
                    "--format csv: no run of an application is named; with "
                    "--probes: no result of membench");
    print_result(printable(csv));
  } else {
    std::vector<std::string> read;
    for (const Run& run : runs) read.push_back(run.file);
    report(options, read, answer_of(sides, references));
  }
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
  options.outputs.quiet = line.common().quiet;
  options.input = line.common().input;
  const std::vector<MachineDescription> machines = machines_of(options);
  std::vector<Reference> references;
  for (const std::string& path : options.references) references.push_back(read_reference(path));
  if (options.known) {
    const Record record = known_record(read_runs(options.files), machines);
    const std::vector<Section> sections = known_sections(record);
    print(options.format, record, to_markdown(sections), to_text(sections, true));
    return ExitCode::Good;
  }
  if (options.task.application == nullptr) return compare(options, machines, references);
  PredictedTask task = options.task;
  if (!options.assume.empty()) task.assumed = model::assumed_rates(options.assume);
  report(options, {}, answer_of(predictions_of(task, machines), references));
  return ExitCode::Good;
}

}  // namespace

}  // namespace memstencil::compare

int main(int argc, char** argv) {
  const memstencil::Communicator alone;  // results are compared where MPI cannot start
  return memstencil::run_program("memcompare", alone, [&] {
    return alone.root() ? memstencil::compare::run_compare(argc, argv) : memstencil::ExitCode::Good;
  });
}
