// A benchmark from its command line to its result: application.hpp has the order.
// Standard output and the results file are each written even if the other fails.
#include "app/bench/session.hpp"

#include "app/base/machine/program_facts.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/record/output_file.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"
#include "kernels/queue.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <cctype>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <regex>

namespace memstencil {

namespace {

/// Says so where this process, of a run of one rank, may have been meant to be one of several. A
/// launcher (mpirun, or srun with another or no MPI) that does not reach the program's MPI makes
/// each rank a run of its own, all of which pass as runs of one rank.
void warn_of_lone_rank(const std::string& program, int size) {
  const auto launched = launched_rank();
  if (size > 1 || !launched || launched->rank > 0) return;
  const Launcher& by = *launched->launcher;
  fmt::print(
      stderr,
      "{}: {} started {} ranks ({}), and MPI ({}) knows of each alone: if they were meant to "
      "be one run, {}\n",
      program, by.name, launched->ranks, by.size, Communicator::library(), by.remedy);
}

/// mpirun can start ranks with options of their own, and they would wait for each other for ever,
/// or write a record that is true of one of them. Collective.
/// @throws CollectiveFailure(Usage)
void require_same_options(const CommandLine& line, const Communicator& communicator) {
  if (communicator.size() == 1) return;
  Record options{{"program", version_text(line.program())}};  // of one build, or figures are of two
  options.update(line.options());
  options.erase("gpu");  // a rank's own
  std::string first = to_json(options);
  const Record own = Record::parse(first);  // a label need not be UTF-8
  communicator.broadcast(first);
  const Record wanted = Record::parse(first);
  collectively(communicator, [&] {
    for (const auto& [name, value] : wanted.items())
      if (own.value(name, Record("none")) != value)
        throw Failure(
            ExitCode::Usage,
            fmt::format("rank {} has {} {} and rank 0 {}: all ranks need the same options",
                        communicator.rank(), name, plain_text(own.value(name, Record("none"))),
                        plain_text(value)));
  });
}

/// Kokkos ends the process where one of its variables has a value that it does not take.
/// @throws Failure(Usage) that names the variable and what is valid
void check_variables_of_kokkos() {
  struct Variable {
    const char *name, *valid, *pattern;
  };
  constexpr const char *truths = "true, yes, 1, false, no and 0", *truth = "true|yes|1|false|no|0";
  for (const auto& [name, valid, pattern] :
       {Variable{"KOKKOS_NUM_THREADS", "a whole number from 1 on", "0*[1-9][0-9]{0,8}"},
        Variable{"KOKKOS_DEVICE_ID", "a whole number", "[0-9]{1,9}"},
        Variable{"KOKKOS_DISABLE_WARNINGS", truths, truth},
        Variable{"KOKKOS_PRINT_CONFIGURATION", truths, truth},
        Variable{"KOKKOS_TUNE_INTERNALS", truths, truth},
        Variable{"KOKKOS_MAP_DEVICE_ID_BY", "mpi_rank and random", "mpi_rank|random"},
        // Kokkos would count GPUs otherwise than --gpu does.
        Variable{"KOKKOS_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES in its place",
                 built_for_gpu() ? "(?!)" : ".*"}}) {
    const auto letters = pattern == truth ? std::regex::icase : std::regex::ECMAScript;
    const char* const value = std::getenv(name);
    if (value != nullptr && !std::regex_match(value, std::regex(pattern, letters)))
      throw Failure(ExitCode::Usage,
                    fmt::format("environment variable {}='{}': valid: {}", name, value, valid));
  }
  const char* const tools = std::getenv("KOKKOS_TOOLS_LIBS");
  const char* const older = std::getenv("KOKKOS_PROFILE_LIBRARY");
  if (tools != nullptr && older != nullptr && std::string(tools) != older)
    throw Failure(ExitCode::Usage, fmt::format("environment variable KOKKOS_PROFILE_LIBRARY='{}': "
                                               "valid: the value of KOKKOS_TOOLS_LIBS",
                                               older));
}

/// @throws Failure(Usage) for more threads than Kokkos has room for
void check_host_threads() {
  constexpr int most = 512;  // of an array that Kokkos fills without a look at its end
  if (const int count = host_threads(); count > most)
    throw Failure(
        ExitCode::Usage,
        fmt::format("{} threads of a rank: Kokkos has room for {}; set {}_NUM_THREADS to "
                    "fewer, or start more ranks",
                    count, most, std::getenv("KOKKOS_NUM_THREADS") != nullptr ? "KOKKOS" : "OMP"));
}

Output output_of(const CommonOptions& common) { return {common.output, common.force}; }

}  // namespace

void Session::warn_of_shared_cpus() const {
  const HostThreads threads = KokkosRuntime::host_threads();
  const std::string shared = shared_cpus(all_ranks(threads, {}, communicator));
  if (!shared.empty() && communicator.root())
    fmt::print(stderr,
               "{}: {}: give each rank its own (Open MPI: --map-by node:PE={}), or set "
               "OMP_NUM_THREADS or OMP_PLACES\n",
               line.program(), shared, threads.count);
}

std::optional<Session> start(CommandLine& line, int argc, const char* const* argv,
                             const Communicator& communicator) {
  const ProgramStart now(argc, argv);
  const auto text = collectively(communicator, [&] { return line.parse(argc, argv); });
  if (!text) {
    collectively(communicator, [] {
      check_variables_of_kokkos();
      check_host_threads();
    });
    require_same_options(line, communicator);
    if (const std::string slow = slow_build_text(); !slow.empty() && communicator.root())
      fmt::print(stderr, "{}: {}\n", line.program(), slow);
    warn_of_lone_rank(line.program(), communicator.size());
    return Session{line, communicator, now};
  }
  if (communicator.root()) print_result(*text);
  return {};
}

void check_output(const Communicator& communicator, const CommonOptions& common, bool with_field) {
  if (common.output.empty()) return;
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    if (common.force) check_not_read(common.output, {common.input});
    if (common.force && with_field) check_not_read(field_path(common.output), {common.input});
    if (!output_of(common).is_folder() && !common.output.ends_with(".h5"))
      throw Failure(ExitCode::Usage,
                    fmt::format("--output {}: valid are FILE.h5, FOLDER/ (made where it is not "
                                "there) and a folder that exists",
                                common.output));
  });
  check_output(communicator, output_of(common), with_field);
}

MachineFacts facts(const Communicator& communicator) {
  return collectively(communicator,
                      [&] { return communicator.root() ? machine_facts() : MachineFacts(); });
}

Origin origin_of(const CommonOptions& common) {
  Origin origin;
  if (!common.label.empty()) origin.label = common.label;
  const char* const site = std::getenv("MEMSTENCIL_SITE");
  if (site != nullptr && *site != '\0') origin.site = site;
  return origin;
}

std::string name_in_folder(std::initializer_list<std::string> parts,
                           const std::optional<Provenance>& provenance) {
  std::string name;
  for (const std::string& part : parts)
    if (!part.empty()) name += part + "-";
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.') c = '-';
  const Record started = provenance ? provenance->record["started"] : Record("");
  for (const char c : plain_text(started))
    if (c != '-' && c != ':') name += c;
  return name;
}

void deliver(const Communicator& communicator, const CommonOptions& common, const Shown& result,
             const std::string& name, const FieldBlock* field) {
  const Output output = output_of(common);
  const bool file = !output.path.empty();
  std::exception_ptr unprinted;
  if (communicator.root()) {
    // Nor may a reader that is gone (`himeno --output r.h5 | head -1`) cost the file. Ignored until
    // the end, because what is still buffered is tried again there.
    if (file) std::signal(SIGPIPE, SIG_IGN);
    try {
      if (file) require_finite(result.record);  // what is not written is not shown either
      print_result(common.format == Format::Text
                       ? result.text
                       : to_json(result.json != nullptr ? *result.json : result.record));
    } catch (...) {
      unprinted = std::current_exception();
    }
  }
  if (file) {
    const bool chosen = output.is_folder();
    const std::string path = write_result(communicator, output, name, result.record, field);
    if (chosen && communicator.root() && !common.quiet)
      fmt::print(stderr, "{}: the result is {}\n", result.record.value("program", ""), path);
  }
  collectively(communicator, [&] {
    if (unprinted) std::rethrow_exception(unprinted);
  });
}

void complete(const Session& session, MeasuredResult& result) {
  result.origin = origin_of(session.line.common());
  result.options = session.line.options();
  result.provenance = provenance_of(session.start, KokkosRuntime::host_threads(),
                                    result.own_seconds, session.communicator);
}

}  // namespace memstencil
