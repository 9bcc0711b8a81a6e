// membench as a whole: command line, refusals, probes, report.
#include "app/membench/program.hpp"

#include "app/common/agree.hpp"
#include "app/common/deliver.hpp"
#include "app/common/kokkos_runtime.hpp"
#include "app/common/options.hpp"
#include "app/common/progress.hpp"
#include "app/common/start.hpp"
#include "app/common/version_text.hpp"
#include "app/membench/options.hpp"
#include "app/membench/report.hpp"
#include "app/membench/result.hpp"
#include "app/membench/run.hpp"
#include "app/placement/place.hpp"
#include "app/placement/placement_record.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace memstencil::membench {

namespace {

constexpr const char* description =
    "Probes of the memory system: each measures one part of it, from raw samples, and verifies its data.";

void print_list(Format format) {
  const std::vector<ListedProbe> list = listed(probes());
  const Record rows = to_record(list);
  print({{{"probes", rows}}, rows, text_list(list)}, format);
}

/// What is refused whatever GPU and memory there is.
void check(const std::vector<const Probe*>& chosen, const Communicator& communicator) {
  if (communicator.size() > 1)
    throw Failure(ExitCode::Usage, "a probe measures one process: start membench without mpirun");
  if (chosen.size() == 1)
    if (const std::string reason = chosen.front()->refused(); !reason.empty())
      throw Failure(ExitCode::Machine, fmt::format("{}: {}", chosen.front()->name, reason));
}

}  // namespace

ExitCode run_membench(int argc, const char* const* argv, const Communicator& communicator) {
  Options options;
  CommandLine line("membench", description, version_text("membench"));
  declare_options(line, options);
  if (!read_command_line(line, argc, argv, communicator)) return ExitCode::Good;
  const CommonOptions& common = line.common();
  if (options.probe == "list") {
    if (communicator.root()) print_list(common.format);
    return ExitCode::Good;
  }
  const auto chosen = agree(communicator, [&] { return chosen_probes(options); });
  agree(communicator, [&] { check(chosen, communicator); });
  const int gpu = use_gpu(options.gpu, communicator);
  agree(communicator, [&] { check_size(options.settings); });
  check_output(communicator, common);
  const KokkosRuntime kokkos(gpu);
  warn_of_shared_cpus("membench", KokkosRuntime::host_threads(), communicator);
  ProgressLine progress(!common.quiet, STDERR_FILENO);
  const auto runs = run_probes(chosen, options.settings,
                               [&](const std::string& now) { progress.show([&] { return now; }); });
  progress.erase();
  const Result result =
      make_result(options.probe, runs, line.options(), facts(communicator), execution_of(Executor::Host));
  deliver(communicator, common, {to_record(result), measurement_rows(result), text_report(result)});
  return ExitCode::Good;
}

}  // namespace memstencil::membench
