// How the runs of each application are read, and the labels of their cases.
#include "app/compare/read/sample.hpp"

#include "app/base/machine/provenance.hpp"
#include "app/base/record/text_report.hpp"

#include <fmt/ranges.h>

namespace memstencil::compare {

namespace {

/// Transports of messages; another one is named as it is.
const std::map<std::string, std::string> transports_in_words{
    {"nccl", "NCCL"}, {"peer", "stores"}, {"device", "MPI from GPU"}, {"staged", "MPI via host"}};

/// Unless it is the usual value.
void add(Members& members, const std::string& key, const std::string& value,
         const std::string& usual = "") {
  if (!value.empty() && value != usual) members.emplace_back(key, value);
}

/// Where the arrays lie, and what changes how this memory is used; what is usual is not said.
Members memory_of(const Record& record) {
  const std::string exec = text(record, "exec"), memory = text(record, "memspace.effective");
  Members members{{"memspace", memory == "host" ? "host memory" : memory}};
  if (exec == "host" && find(record, "machine.gpu") != nullptr) add(members, "exec", "the host");
  add(members, "first_touch", text_or(record, "first_touch"), exec);
  add(members, "pre-touch", text_or(record, "options.pre-touch"));
  add(members, "prefetch", text_or(record, "options.prefetch"), "false");
  add(members, "advise", text_or(record, "options.advise"), "none");
  add(members, "pages", text_or(record, "options.pages"), "default");
  add(members, "allocation", text_or(record, "options.allocation"), "default");
  if (exec == "host") {
    add(members, "threads", threads_text(record));
  } else {
    const std::string path = text_or(record, "halo", text_or(record, "messages"));
    const auto words = transports_in_words.find(path);
    add(members, "messages", words == transports_in_words.end() ? path : words->second, "none");
  }
  return members;
}

/// GPUs by their identifiers; a GPU a rank where the result does not tell.
double gpus_of(const Record& record, int ranks) {
  std::set<std::string> gpus;
  if (const Record* all = find(record, "provenance.ranks"); all != nullptr)
    for (const Record& rank : *all)
      if (find(rank, "gpu") != nullptr) gpus.insert(text(rank, "gpu"));
  return gpus.empty() ? ranks : static_cast<double>(gpus.size());
}

/// Host threads of a rank, no more than it has CPUs; 1 where the result does not tell.
double cores_of_rank(const Record& record) {
  const double threads = number_or(record, "execution.host_threads", 1);
  const int cpus = count_cpus(text_or(record, "machine.cpu.allowed"));
  return cpus > 0 ? std::min<double>(threads, cpus) : threads;
}

/// Fills what follows from the series: median, first, tail, all_steps.
/// @throws Failure(Other) if there are no steps, or no positive times
void finish(Sample& sample) {
  const std::vector<double>& series = sample.series;
  if (series.empty() || sample.steps < 1 || !(std::ranges::min(series) > 0))
    throw Failure(ExitCode::Other, "it has no steps, or steps without a time");
  sample.first = series.front();
  sample.median = membench::median(series);
  sample.tail = membench::median(
      {series.begin() + static_cast<std::ptrdiff_t>(series.size() / 2), series.end()});
  if (sample.all_steps == 0) sample.all_steps = std::accumulate(series.begin(), series.end(), 0.0);
}

/// What the runs of all applications have: executor, memory, hints, ranks, phases.
Sample common_sample(const Run& run, const Application& of) {
  const Record& record = run.record;
  Sample sample{.run = &run, .step = of.step};
  sample.what.program = run.program;
  sample.what.memory = memory_of(record);
  sample.executor = text(record, "exec");
  sample.space = memory_space_from_name(text(record, "memspace.effective"));
  member(record, "ranks");
  for (const double factor : numbers(record, "ranks")) sample.ranks *= static_cast<int>(factor);
  sample.nodes = nodes_of(record);
  sample.processors =
      sample.by_gpu() ? gpus_of(record, sample.ranks) : sample.ranks * cores_of_rank(record);
  sample.limit_kind = text(record, "limit.kind");
  if (const Record* of_model = find(record, "prediction"); of_model != nullptr)
    sample.predicted = {
        .seconds = {number(*of_model, "least_seconds"), number(*of_model, "most_seconds")},
        .assumed = of_model->at("assumed").get<std::vector<std::string>>()};
  const Record& phases = member(record, "phases");
  for (const Part part :
       {Part::Allocate, Part::Initialise, Part::Upload, Part::Download, Part::Free})
    sample.once[part] = number_or(phases, name(part), 0);
  sample.once[Part::PreTouch] = number_or(phases, "pre-touch", 0);
  sample.once[Part::Messages] = number_or(phases, "halo", 0) + number_or(phases, "reduce", 0);
  return sample;
}

/// "XL (512x512x1024)", or the extents where the size has no name.
std::string size_text(const Record& record) {
  const std::string size = text(record, "size");
  const std::string extents = fmt::format("{}", fmt::join(numbers(record, "extents"), "x"));
  return size == extents ? size : fmt::format("{} ({})", size, extents);
}

/// The sweeps of a grid code.
std::vector<Sample> grid_samples(const Run& run, const Application& of) {
  const Record& record = run.record;
  Sample sample = common_sample(run, of);
  member(record, "extents");
  member(record, "sweeps.seconds");
  const std::vector<double> extents = numbers(record, "extents"), ranks = numbers(record, "ranks");
  if (extents.size() != 3 || std::ranges::min(extents) < 3)
    throw Failure(ExitCode::Other, "'extents' are not three of at least 3");
  if (ranks.size() != 3) throw Failure(ExitCode::Other, "'ranks' are not three");
  Members& problem = sample.what.problem;
  const std::string sweep = text(record, "sweep");
  problem = {{"size", size_text(record)}, {"sweep", sweep}};
  const std::optional<int> fused = fused_of(sweep);
  if (!fused) throw Failure(ExitCode::Other, fmt::format("'{}' is no sweep", sweep));
  sample.fused = *fused;
  add(problem, "layout", text_or(record, "layout"), "arrays");
  add(problem, "coefficients", text_or(record, "options.coefficients"), "standard");
  if (sample.ranks > 1) add(problem, "ranks", fmt::format("{}", fmt::join(ranks, "x")));
  sample.steps = static_cast<std::int64_t>(number(record, "iterations"));
  // With --seconds the number of sweeps is the machine's.
  const auto seconds = number_if(record, "options.seconds");
  sample.what.steps =
      seconds ? fmt::format("for {} s", *seconds) : fmt::format("x {}", sample.steps);
  sample.bytes = of.arrays() * of.element_bytes;
  for (const double extent : extents) sample.bytes *= extent;
  sample.series = numbers(record, "sweeps.seconds");
  sample.energy = find(record, "energy");
  sample.all_steps = number(record, "phases.sweeps");
  finish(sample);
  const double messages = sample.once[Part::Messages];
  if (sample.ranks > 1) sample.exposed = messages / (sample.all_steps + messages);
  sample.unit = "GFLOPS";
  sample.speed = 1e-3 * number(record, "mflops");
  sample.bandwidth = number_or(record, "bandwidth_gbs", 0);
  sample.limit = number_or(record, "limit.gbs", 0);
  sample.fraction = number_or(record, "limit.fraction", 0);
  return {sample};
}

/// The iterations of each variant of a transpose.
std::vector<Sample> transpose_samples(const Run& run, const Application& of) {
  const Record& record = run.record;
  const Sample like = common_sample(run, of);
  const double rows = number(record, "rows"), columns = number(record, "columns");
  const std::string type = text(record, "type");
  std::vector<Sample> samples;
  const Record& variants = member(record, "variants");
  for (const Record& variant : variants) {
    Sample sample = like;
    sample.series = numbers(variant, "seconds");
    sample.energy = find(variant, "energy");
    if (sample.series.empty()) continue;
    Members& problem = sample.what.problem;
    problem = {{"size", fmt::format("{:.0f} x {:.0f}", rows, columns)},
               {"type", type},
               {"variant", text(variant, "name")}};
    add(problem, "tile", fmt::format("{:.0f}", number_or(variant, "tile", 32)), "32");
    add(problem, "pitch", text_or(record, "options.pitch"));
    add(problem, "ranks", fmt::format("{}", sample.ranks), "1");
    // One and its yardstick are usual; of several the phases around the steps are shared.
    if (variants.size() > 2) add(problem, "run", fmt::format("{} variants", variants.size()));
    sample.steps = static_cast<std::int64_t>(
        number_or(record, "prediction.steps", static_cast<double>(sample.series.size())));
    sample.what.steps = fmt::format("x {}", sample.steps);
    if (sample.predicted) sample.all_steps = number(record, "phases.transpose");
    finish(sample);
    sample.bytes = 2 * rows * columns * (type == "double" ? 8 : 4);
    sample.unit = "GB/s";
    sample.speed = sample.bandwidth = number(variant, "gbs.median");
    // By stores the messages are the transpose's own, and no clock tells them apart.
    if (const double exchange = number_or(variant, "split.exchange", 0); exchange > 0)
      sample.exposed = exchange / (exchange + number_or(variant, "split.pack", 0) +
                                   number_or(variant, "split.transpose", 0));
    // Records from before 2026-11-25 have no fraction of the limit, but that of the run's copy.
    sample.fraction = number_or(variant, "fraction", number_or(variant, "of_copy", 0));
    sample.limit = sample.fraction > 0 ? sample.bandwidth / sample.fraction : 0;
    samples.push_back(sample);
  }
  return samples;
}

/// How a member is written: its value follows the words. A member that is not listed is written as
/// key and value, so that no two members read alike.
const std::map<std::string, std::string> member_words{{"size", ""},
                                                      {"sweep", ""},
                                                      {"variant", ""},
                                                      {"type", ""},
                                                      {"memspace", ""},
                                                      {"timed", ""},
                                                      {"first_touch", "filled by "},
                                                      {"messages", "by "},
                                                      {"threads", "with "},
                                                      {"pre-touch", "read first by "},
                                                      {"run", "in one run of "},
                                                      {"exec", "computed by "}};

/// A comma in a value would read as the end of a member.
std::string quoted(const std::string& value) {
  return value.empty() || value.find_first_of(",\"") != std::string::npos ? '"' + value + '"'
                                                                          : value;
}

std::string written(const std::string& key, const std::string& value) {
  if (const auto word = member_words.find(key); word != member_words.end())
    return word->second + quoted(value);
  return value == "true" ? key : key + " " + quoted(value);
}

}  // namespace

std::optional<int> fused_of(const std::string& sweep) {
  constexpr std::string_view temporal = "temporal:";
  if (sweep == "single") return 1;
  if (!sweep.starts_with(temporal)) return {};
  try {
    return static_cast<int>(parse_integer(sweep.substr(temporal.size()), 2, most_fused));
  } catch (const std::invalid_argument&) {
    return {};
  }
}

std::string joined(const Members& members) {
  std::string text;
  for (const auto& [key, value] : members) text += (text.empty() ? "" : ", ") + written(key, value);
  return text;
}

std::string problem_label(const Case& of) { return of.program + " " + joined(of.problem); }

std::string memory_label(const Case& of) {
  const std::string settings = joined(of.settings);
  return joined(of.memory) + (settings.empty() ? "" : "; " + settings);
}

std::string label(const Case& of) {
  return problem_label(of) + ", " + of.steps + ", in " + memory_label(of);
}

const Application* application(const std::string& program) {
  const auto found = std::ranges::find(applications, program, &Application::program);
  return found == applications.end() ? nullptr : &*found;
}

std::vector<std::string> programs() {
  std::vector<std::string> names{"membench"};
  for (const Application& each : applications) names.emplace_back(each.program);
  return names;
}

std::vector<Sample> samples_of(const Run& run) {
  const Application* of = application(run.program);
  if (of == nullptr || find(run.record, "phases") == nullptr)
    return {};  // an older list of tried sweeps times no run
  std::vector<Sample> samples = naming(
      run, [&] { return of->is_grid() ? grid_samples(run, *of) : transpose_samples(run, *of); });
  // Without a machine's costs of pages its steps can be predicted, and no wall time.
  if (text_or(run.record, "prediction.steps_alone") == "true")
    for (Sample& sample : samples)
      sample.what.problem.emplace_back("timed", sample.step + "s alone");
  return samples;
}

int nodes_of(const Record& record) {
  const Record* hosts = find(record, "provenance.hosts");
  return hosts != nullptr && hosts->is_array() ? std::max(1, static_cast<int>(hosts->size())) : 1;
}

std::string threads_text(const Record& record) {
  const auto threads = number_if(record, "execution.host_threads");
  if (!threads) return "";
  const std::string number = counted(static_cast<int>(*threads), "thread");
  const int cpus = count_cpus(text_or(record, "machine.cpu.allowed"));
  if (cpus > 0 && *threads > cpus) return number + " on " + counted(cpus, "CPU");
  return number_or(record, "machine.cpu.cores", 0) == *threads ? "all cores" : number;
}

}  // namespace memstencil::compare
