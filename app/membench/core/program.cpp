// membench as a whole: command line, refusals, the chosen probes one after the other, report.
#include "app/membench/core/program.hpp"

#include "app/common/cli/options.hpp"
#include "app/common/cli/progress.hpp"
#include "app/common/cli/start.hpp"
#include "app/common/cli/version_text.hpp"
#include "app/common/ranks/collectively.hpp"
#include "app/common/record/deliver.hpp"
#include "app/common/record/text_report.hpp"
#include "app/common/runtime/clock.hpp"
#include "app/common/runtime/kokkos_runtime.hpp"
#include "app/membench/core/options.hpp"
#include "app/membench/core/report.hpp"
#include "app/membench/core/result.hpp"
#include "app/placement/place.hpp"
#include "app/placement/placement_record.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

namespace memstencil::membench {

namespace {

constexpr const char* description =
    "Probes of the memory system: each measures one part of it, from raw samples, "
    "and verifies its data.";

void print_list(Format format) {
  const std::vector<ListedProbe> list = listed(probes());
  const Record rows = to_record(list);
  print({{{"probes", rows}}, rows, text_list(list)}, format);
}

std::string refusal(const Probe& probe, const Communicator* ranks) {
  if (probe.several_ranks && (ranks == nullptr || ranks->size() == 1))
    return "it measures messages between ranks: start it alone, by mpirun -np 2 or more";
  return probe.refused();
}

/// Refuses what is wrong on any machine.
void check(const std::vector<const Probe*>& chosen, const Communicator& communicator) {
  const auto of_one = [](const Probe* probe) { return !probe->several_ranks; };
  if (communicator.size() > 1 && std::any_of(chosen.begin(), chosen.end(), of_one))
    throw Failure(
        ExitCode::Usage,
        "a probe measures one process: start membench without mpirun, but for the probe exchange");
  if (chosen.size() == 1)
    if (const std::string reason = refusal(*chosen.front(), &communicator); !reason.empty())
      throw Failure(ExitCode::Machine, fmt::format("{}: {}", chosen.front()->name, reason));
}

/// The probe's result, or why this machine cannot give one.
ProbeRun run_one(const Probe& probe, const Settings& settings) {
  ProbeRun run{.probe = &probe,
               .skipped = refusal(probe, settings.ranks),
               .seconds = 0,
               .clocks = {},
               .result = {}};
  if (!run.skipped.empty()) return run;
  run.seconds = host_seconds([&] {
    try {
      run.result = probe.run(settings);
    } catch (const CollectiveFailure& failure) {
      if (failure.code() != ExitCode::Machine)
        throw CollectiveFailure(failure.code(), fmt::format("{}: {}", probe.name, failure.what()));
      run.skipped = failure.what();
    } catch (...) {
      const Failure failure = as_failure(std::current_exception());
      // One rank of several cannot skip what the others are in.
      if (failure.code() != ExitCode::Machine || probe.several_ranks)
        throw Failure(failure.code(), fmt::format("{}: {}", probe.name, failure.what()));
      run.skipped = failure.what();
    }
  });
  run.clocks = clocks_of_gpu();
  return run;
}

}  // namespace

std::vector<ProbeRun> run_probes(const std::vector<const Probe*>& chosen, const Settings& settings,
                                 const std::function<void(const std::string&)>& progress) {
  std::vector<ProbeRun> runs;
  for (const Probe* probe : chosen) {
    const std::string which = chosen.size() > 1 ? fmt::format("probe {} of {}, {}", runs.size() + 1,
                                                              chosen.size(), probe->name)
                                                : probe->name;
    progress(which);
    Settings own = settings;
    own.progress = [&](const std::string& text) { progress(which + ": " + text); };
    runs.push_back(run_one(*probe, own));
  }
  if (chosen.size() == 1 && !runs.front().skipped.empty())
    throw CollectiveFailure(ExitCode::Machine,
                            fmt::format("{}: {}", chosen.front()->name, runs.front().skipped));
  return runs;
}

void check_size(const Settings& settings) {
  std::size_t asked = settings.bytes.value_or(0);
  if (!settings.sizes.empty()) asked = std::max(asked, settings.sizes.back());
  if (asked == 0) return;
  std::size_t there = available_bytes(MemorySpace::SystemAllocated);
  if (gpu_count() > 0) there = std::max(there, available_bytes(MemorySpace::Device));
  if (asked > there)
    throw Failure(ExitCode::Machine,
                  fmt::format("{0}: {1} are asked for, and no memory here has more than {2} "
                              "available; use a smaller {0}",
                              settings.bytes == asked ? "--size" : "--sizes",
                              bytes_text(static_cast<double>(asked)),
                              bytes_text(static_cast<double>(there))));
}

ExitCode run_membench(int argc, const char* const* argv, const Communicator& communicator) {
  const ProgramStart start(argc, argv);
  Options options;
  CommandLine line("membench", description, version_text("membench"));
  declare_options(line, options);
  if (!read_command_line(line, argc, argv, communicator)) return ExitCode::Good;
  const CommonOptions& common = line.common();
  if (options.probe == "list") {
    if (communicator.root()) print_list(common.format);
    return ExitCode::Good;
  }
  const auto chosen = collectively(communicator, [&] { return chosen_probes(options); });
  collectively(communicator, [&] { check(chosen, communicator); });
  const int gpu = use_gpu(options.gpu, communicator);
  collectively(communicator, [&] { check_size(options.settings); });
  check_output(communicator, common);
  const KokkosRuntime kokkos(gpu);
  warn_of_shared_cpus("membench", KokkosRuntime::host_threads(), communicator);
  ProgressLine progress(!common.quiet && communicator.root(), STDERR_FILENO);
  options.settings.ranks = &communicator;
  const auto runs = run_probes(chosen, options.settings,
                               [&](const std::string& now) { progress.show([&] { return now; }); });
  progress.erase();
  Result result = make_result(options.probe, runs, line.options(), facts(communicator),
                              execution_of(Executor::Host));
  result.provenance = provenance_of(start, KokkosRuntime::host_threads(), {}, communicator);
  result.origin = origin_of(common);
  const auto memory = options.settings.memspace;
  deliver(communicator, common, {to_record(result), measurement_rows(result), text_report(result)},
          name_in_folder({"membench", result.probe, memory ? std::string(name(*memory)) : ""},
                         result.provenance));
  return ExitCode::Good;
}

}  // namespace memstencil::membench
