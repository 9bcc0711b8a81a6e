// memcompare: sets the results side by side, and says why they differ.
#include "app/base/machine/machine_description.hpp"
#include "app/base/machine/program_facts.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/output_file.hpp"
#include "app/compare/options.hpp"
#include "app/compare/predict/rates.hpp"
#include "app/compare/read/sample.hpp"
#include "app/compare/show/show.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace memstencil::compare {

namespace {

namespace fs = std::filesystem;

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

void write_outputs(const Options& options, const Record& answer) {
  Record pictures = Record::array();
  if (!options.plots.empty()) {
    pictures = draw(answer, options.plots);
    if (!options.quiet)
      fmt::print(stderr, "memcompare: plots drawn as PNG, SVG and PDF: {}\n", pictures.size());
  }
  if (options.html.empty()) return;
  try {
    if (options.plots.empty()) pictures = draw(answer, "");
  } catch (const Failure& failure) {  // the page is worth having where no plot can be drawn
    if (failure.code() != ExitCode::Machine) throw;
    fmt::print(stderr, "memcompare: the page has no plot: {}\n", failure.what());
  }
  write_file(options.html, options.force ? Existing::Replace : Existing::Refuse,
             to_page(answer, pictures));
  if (!options.quiet) fmt::print(stderr, "memcompare: the page is {}\n", options.html);
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
  std::set<std::string> names;
  for (const std::string& path : options.machines)
    if (!names.insert(machines.emplace_back(read_machine_description(machine_file(path))).name)
             .second)
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

void print(ReportFormat format, const Record& json, const std::string& markdown,
           const std::string& text) {
  if (format == ReportFormat::Json)
    print_result(to_json(json));
  else
    print_result(printable(format == ReportFormat::Markdown ? markdown : text));
}

void report(const Options& options, const std::vector<std::string>& read, const Record& answer) {
  check_outputs(options, read);
  write_outputs(options, answer);
  print(options.format, options.full ? answer : without_series(answer),
        "# " + answer.at("title").get<std::string>() + "\n" + to_markdown(first_sections(answer)),
        to_text(answer, width_of_output(), options.full));
}

std::vector<Reference> references_of(const Options& options) {
  std::vector<Reference> references;
  for (const std::string& path : options.references) references.push_back(read_reference(path));
  return references;
}

ExitCode predict(const Options& options, const std::string& input) {
  PredictedTask task = options.task;
  task.filled_by_host = options.first_touch.value_or(Executor::Host) == Executor::Host;
  if (!options.assume.empty()) task.assumed = model::assumed_rates(options.assume);
  report(options, {input},
         answer_of(predictions_of(task, machines_of(options)), references_of(options)));
  return ExitCode::Good;
}

ExitCode compare(const Options& options, const std::string& input) {
  const auto machines = machines_of(options);
  const std::vector<Reference> references = references_of(options);
  const std::vector<Run> runs = read_runs(options.files);
  const std::vector<Side> sides = sides_of(runs, machines);
  std::string slower;
  if (options.fail_above) slower = slower_than_allowed(sides, *options.fail_above / 100);
  std::vector<std::string> read{input};
  for (const Run& run : runs) read.push_back(run.file);
  if (options.format == ReportFormat::Csv) {
    const std::string csv = options.probes ? probes_csv(sides) : runs_csv(sides);
    if (csv.empty())
      throw Failure(ExitCode::Usage,
                    "--format csv: no run of an application is named; with "
                    "--probes: no result of membench");
    print_result(printable(csv));
  } else {
    report(options, read, answer_of(sides, references));
  }
  if (slower.empty()) return ExitCode::Good;
  fmt::print(stderr, "memcompare: {}\n", printable(slower));
  return ExitCode::Slower;
}

ExitCode show_known(const Options& options) {
  std::vector<Run> runs = read_runs(options.files);
  const std::vector<Run> kept = known_runs(runs, shared_file("reference/samples"));
  runs.insert(runs.begin(), kept.begin(), kept.end());
  const std::vector<Side> sides = sides_of(runs, machines_of(options));
  if (sides.size() != 2)
    throw Failure(ExitCode::Usage, "--known takes one side: name one folder, or NAME=FILE ...");
  const Record record = known_record(sides);
  const std::vector<Section> sections = known_sections(record);
  print(options.format, record, to_markdown(sections), to_text(sections, true));
  return ExitCode::Good;
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
  options.quiet = line.common().quiet;
  const std::string& input = line.common().input;
  if (options.known) return show_known(options);
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
