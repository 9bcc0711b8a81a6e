// heat: 7-point diffusion in the memory space that the user names.
#include "app/base/machine/machine_facts.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/session.hpp"
#include "app/heat/heat.hpp"

namespace memstencil::heat {

namespace {

constexpr const char* description =
    "7-point diffusion in double on a grid whose boundary is 0, with the arrays in the memory "
    "space that you name.";

ExitCode run_heat(int argc, const char* const* argv, const Communicator& communicator) {
  GridOptions options;
  CommandLine line("heat", description, version_text("heat"));
  declare_problem(line, options,
                  "XS 32x32x64 (1 MB), S 64x64x128 (8 MB), M 128x128x256 (67 MB), L 256x256x512 "
                  "(0.5 GB), XL 512x512x1024 (4.3 GB)");
  declare_memory(line, options);
  declare_ranks(line, options);
  line.example("mpirun -n 4 heat --size 768x768x768 --iterations 500 --output result.h5",
               "a cube of 7.2 GB on four ranks, for memcompare");
  const auto session = start(line, argc, argv, communicator);
  if (!session) return ExitCode::Good;
  refuse_combinations(options, line.common());
  const Machine machine = this_machine(options.gpu, communicator);
  if (options.list_memspaces) {
    if (communicator.root()) print_result(memspace_list(line.common().format));
    return ExitCode::Good;
  }
  // All refusals come before Kokkos starts: it may warn on stderr, where a refusal is one line.
  check_output(communicator, line.common());
  const Plan plan = choose(options, communicator, [&](const GridOptions& each) {
    return make_plan(each, machine, communicator);
  });
  const KokkosRuntime kokkos(machine.gpu);
  session->warn_of_shared_cpus();
  const auto gpu = connect("--halo", plan.halo, communicator);
  const auto repeats = run_repeats(plan, communicator, session->progress_line(), gpu);
  finish(*session, result_of<Result>(plan.options, plan, repeats));
  return ExitCode::Good;
}

}  // namespace

}  // namespace memstencil::heat

int main(int argc, char** argv) {
  const memstencil::ParallelRuntime runtime(argc, argv);
  const memstencil::Communicator communicator;
  return memstencil::run_program(
      "heat", communicator, [&] { return memstencil::heat::run_heat(argc, argv, communicator); });
}
