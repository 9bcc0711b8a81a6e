// A program from its command line to the end of its run: the order of all steps stands here, once.
#pragma once

#include "app/base/machine/program_facts.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/session.hpp"

#include <fcntl.h>
#include <string>

namespace memstencil {

/// The common part of programs with arrays in a memory space. Each adds
///     name, description             texts
///     declare(line, options)
///     run(plan, machine, session)   calls finish() with its result
/// @tparam make_plan (options, machine, communicator) refuses a plan that this machine cannot
/// follow; next to
///         its plan stands require_memory(plan, communicator)
template <class OptionsOfProgram, auto make_plan>
struct Application {
  using Options = OptionsOfProgram;

  /// Refuses combinations of options that mean nothing. @throws CollectiveFailure(Usage)
  static void check(const Options&, const CommonOptions&) {}
  /// The option that asks for a list in place of a run; empty if none was given.
  static std::string list_option(const Options& options) {
    return options.list_memspaces ? "--list-memspaces" : "";
  }
  static std::string list(const CommonOptions& common) { return memspace_list(common.format); }
  /// Will the run write a field next to its result?
  static bool writes_field(const Options&) { return false; }
  static auto plan(const Options& options, const Machine& machine,
                   const Communicator& communicator) {
    auto made = make_plan(options, machine, communicator);
    require_memory(made, communicator);
    return made;
  }
};

/// @throws Failure, mostly collective ones
template <class App>
void run_application(int argc, const char* const* argv, const Communicator& communicator) {
  typename App::Options options;
  CommandLine line(App::name, App::description, version_text(App::name));
  App::declare(line, options);
  const auto session = start(line, argc, argv, communicator);
  if (!session) return;
  App::check(options, line.common());
  const std::string list = App::list_option(options);
  if (!list.empty() && !line.common().output.empty())
    throw CollectiveFailure(ExitCode::Usage,
                            list + " prints a list and makes no result: --output goes with a run");
  if (!list.empty()) {
    if (options.gpu) this_machine(options.gpu, communicator);  // which it is then about
    if (communicator.root()) print_result(App::list(line.common()));
    return;
  }
  const Machine machine = this_machine(options.gpu, communicator);
  // All refusals come before Kokkos starts: it may warn on stderr, where a refusal is one line.
  check_output(communicator, line.common(), App::writes_field(options));
  const auto plan = App::plan(options, machine, communicator);
  const KokkosRuntime kokkos(machine.gpu);
  session->warn_of_shared_cpus();
  App::run(plan, machine, *session);
}

/// All that the main() of a program does.
template <class App>
int application_main(int argc, char** argv) {
  // Where 0 to 2 are closed, MPI's own pipes would get these numbers, and the report.
  for (int n = 0; n <= 2; ++n)
    if (fcntl(n, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  const ParallelRuntime runtime(argc, argv);
  const Communicator communicator;
  return run_program(App::name, communicator, [&] {
    run_application<App>(argc, argv, communicator);
    return ExitCode::Good;
  });
}

}  // namespace memstencil
