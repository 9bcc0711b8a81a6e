// The applications whose results are compared, and what the results of all of them have.
#include "app/compare/applications.hpp"

#include "app/base/machine/cpus_at_start.hpp"
#include "app/base/record/text_report.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace memstencil::compare {

namespace {

std::string messages_in_words(const std::string& path) {
  if (path == "nccl") return "NCCL";
  if (path == "peer") return "stores";
  if (path == "device") return "MPI from GPU";
  return path == "staged" ? "MPI via host" : path;
}

/// Where the arrays lie, and what changes how this memory is used; what is usual is not said.
Members memory_of(const Record& record) {
  const std::string exec = text(record, "exec"), memory = text(record, "memspace.effective");
  Members members{{"memspace", memory == "host" ? "host memory" : memory}};
  const auto add = [&](const std::string& key, const std::string& value) {
    if (!value.empty() && value != "none" && value != "default" && value != "false")
      members.emplace_back(key, value);
  };
  if (exec == "host" && find(record, "machine.gpu") != nullptr) add("exec", "the host");
  if (const std::string by = text_or(record, "first_touch"); by != exec) add("first_touch", by);
  for (const std::string option : {"pre-touch", "prefetch", "advise", "pages"})
    add(option, text_or(record, "options." + option));
  if (exec == "host")
    add("threads", threads_text(record));
  else
    add("messages", messages_in_words(text_or(record, "halo", text_or(record, "messages"))));
  return members;
}

int nodes_of(const Record& record) {
  const Record* hosts = find(record, "provenance.hosts");
  return hosts != nullptr && hosts->is_array() ? std::max<int>(1, static_cast<int>(hosts->size()))
                                               : 1;
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

/// A count of ranks, as a file claims it.
int whole(double value, const char* name) {
  constexpr double most = 1e5;
  if (!(value >= 1 && value <= most))
    throw Failure(ExitCode::Other, fmt::format("'{}' has {}", name, value));
  return static_cast<int>(value);
}

double wall_time(const Record& phases) {
  double seconds = 0;
  for (const auto& [phase, value] : phases.items()) seconds += number(phases, phase);
  return seconds;
}

}  // namespace

const std::vector<Application>& applications() {
  static const std::vector<Application> all{{"himeno", "sweep", grid_samples, 14 * 4, 34, "mflops"},
                                            {"heat", "sweep", grid_samples, 2 * 8, 9, "mflops"},
                                            {"transpose", "transpose", transpose_samples}};
  return all;
}

std::vector<Sample> samples_of(const Run& run) {
  for (const Application& each : applications())
    if (run.program == each.program && find(run.record, "phases") != nullptr)
      return naming(run, [&] { return each.samples(run, each); });
  return {};
}

std::string threads_text(const Record& record) {
  const auto threads = number_if(record, "execution.host_threads");
  if (!threads) return "";
  const std::string number = counted(static_cast<int>(*threads), "thread");
  const int cpus = count_cpus(text_or(record, "machine.cpu.allowed"));
  if (cpus > 0 && *threads > cpus) return number + " on " + counted(cpus, "CPU");
  return number_or(record, "machine.cpu.cores", 0) == *threads ? "all cores" : number;
}

Sample common_sample(const Run& run, const Application& of) {
  const Record& record = run.record;
  Sample sample{.run = &run, .step = of.step};
  sample.what.program = run.program;
  sample.what.memory = memory_of(record);
  sample.executor = text(record, "exec");
  const Record& ranks = member(record, "ranks");
  sample.ranks = 1;
  for (const double factor :
       ranks.is_array() ? numbers(record, "ranks") : std::vector{number(record, "ranks")})
    sample.ranks *= whole(factor, "ranks");
  sample.nodes = nodes_of(record);
  sample.processors =
      sample.by_gpu() ? gpus_of(record, sample.ranks) : sample.ranks * cores_of_rank(record);
  const Record& phases = member(record, "phases");
  const auto seconds = [&](const char* phase) { return number_or(phases, phase, 0); };
  sample.once[Part::Allocate] = seconds("allocate");
  sample.once[Part::Initialise] = seconds("initialise");
  sample.once[Part::Upload] = seconds("upload");
  sample.once[Part::PreTouch] = seconds("pre-touch");
  sample.once[Part::Messages] = seconds("halo") + seconds("reduce");
  sample.once[Part::Download] = seconds("download");
  sample.once[Part::Free] = seconds("free");
  if (const Record* repeats = find(record, "repeats"); repeats != nullptr)
    for (const Record& each : *repeats) sample.repeats.push_back(wall_time(member(each, "phases")));
  return sample;
}

}  // namespace memstencil::compare
