// transpose: transposes of matrices in the memory space that the user names, by every way that is
// known.
#include "app/base/machine/machine_facts.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/session.hpp"
#include "app/transpose/result.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace memstencil::transpose {

namespace {

constexpr const char* description =
    "Matrix transpose by every way that is known, with the matrices in the "
    "memory space that you name.";

ExitCode run_transpose(int argc, const char* const* argv, const Communicator& communicator) {
  Options options;
  CommandLine line("transpose", description, version_text("transpose"));
  declare_options(line, options);
  const auto session = start(line, argc, argv, communicator);
  if (!session) return ExitCode::Good;
  if (options.list_memspaces && !line.common().output.empty())
    throw CollectiveFailure(ExitCode::Usage,
                            "--list-memspaces makes no result: --output goes with a run");
  const Machine machine = this_machine(options.gpu, communicator);
  if (options.list_memspaces) {
    if (communicator.root()) print_result(memspace_list(line.common().format));
    return ExitCode::Good;
  }
  // All refusals come before Kokkos starts: it may warn on stderr, where a refusal is one line.
  check_output(communicator, line.common());
  const Plan plan = choose(options, communicator, [&](const Options& each) {
    Plan made = make_plan(each, machine, communicator);
    require_memory(made, communicator);
    return made;
  });
  const KokkosRuntime kokkos(machine.gpu);
  session->warn_of_shared_cpus();
  const auto gpu = connect("--exchange", plan.path, communicator);
  const auto repeats = run_repeats(plan, communicator, session->progress_line(), gpu.get());
  finish(*session, make_result(plan, repeats));
  return ExitCode::Good;
}

}  // namespace

}  // namespace memstencil::transpose

int main(int argc, char** argv) {
  const memstencil::ParallelRuntime runtime(argc, argv);
  const memstencil::Communicator communicator;
  return memstencil::run_program("transpose", communicator, [&] {
    return memstencil::transpose::run_transpose(argc, argv, communicator);
  });
}
