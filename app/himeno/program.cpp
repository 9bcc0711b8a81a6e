// himeno: the Jacobi solver of the Himeno benchmark in the memory space that the user names.
#include "app/base/machine/machine_facts.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/session.hpp"
#include "app/himeno/result.hpp"
#include "app/himeno/trial.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::himeno {

namespace {

constexpr const char* description =
    "Himeno benchmark: Jacobi sweeps over a Poisson problem in float, with the arrays in the "
    "memory space that you name.";

/// This rank's owned points of p, with the fixed boundary where the rank has it.
FieldBlock pressure_block(const Subdomain& part, const RunResult& run) {
  FieldBlock block{.name = "pressure"};
  std::array<std::int64_t, 3> first{};
  for (std::size_t d = 0; d < 3; ++d) {
    const bool at_start = part.position[d] == 0;
    const bool at_end = part.position[d] == part.ranks[d] - 1;
    first[d] = at_start ? 0 : part.grid.owned.lo[d];
    const std::int64_t last = at_end ? part.grid.extents[d] : part.grid.owned.hi[d];
    block.extents[d] = static_cast<std::size_t>(part.global[d]);
    block.start[d] = static_cast<std::size_t>(part.origin[d] + first[d]);
    block.count[d] = static_cast<std::size_t>(last - first[d]);
  }
  block.data =
      run.p.data() + part.grid.row(first[0], first[1]) + static_cast<std::size_t>(first[2]);
  block.row_pitch = static_cast<std::size_t>(part.grid.pitch);
  block.plane_rows = static_cast<std::size_t>(part.grid.extents[1]);
  return block;
}

Trial trial_of(const Plan& plan, const Machine& machine, const Session& session,
               const std::shared_ptr<GpuExchange>& gpu) {
  ProgressLine line = session.progress_line();
  return try_sweeps(
      plan, machine, session.communicator,
      [&](const std::string& text) { line.show([&] { return text; }); }, gpu);
}

void finish_trial(const Plan& plan, const Trial& trial, const Session& session) {
  finish(session, make_trial_result(plan, trial));
  if (any_failed(trial))
    throw CollectiveFailure(ExitCode::Verification,
                            "--try-sweeps: a kind of sweep computes wrongly on this machine");
}

void run(const Plan& first, const Machine& machine, const Session& session) {
  const auto gpu = connect("--halo", first.halo, session.communicator);
  std::optional<Trial> trial;
  if (first.options.try_sweeps || first.options.sweep_auto())
    trial = trial_of(first, machine, session, gpu);
  if (first.options.try_sweeps) return finish_trial(first, *trial, session);
  const Plan& plan = trial ? *fastest(*trial).plan : first;
  const auto repeats = run_repeats(plan, session.communicator, session.progress_line(), gpu);
  std::optional<FieldBlock> block;
  if (plan.options.save_field) block = pressure_block(plan.part, repeats.back());
  finish(session, make_result(plan, repeats, trial ? &*trial : nullptr), block ? &*block : nullptr);
}

ExitCode run_himeno(int argc, const char* const* argv, const Communicator& communicator) {
  Options options;
  CommandLine line("himeno", description, version_text("himeno"));
  declare_options(line, options);
  const auto session = start(line, argc, argv, communicator);
  if (!session) return ExitCode::Good;
  refuse_combinations(options, line.common());
  const Machine machine = this_machine(options.gpu, communicator);
  if (options.list_memspaces) {
    if (communicator.root()) print_result(memspace_list(line.common().format));
    return ExitCode::Good;
  }
  // All refusals come before Kokkos starts: it may warn on stderr, where a refusal is one line.
  check_output(communicator, line.common(), options.save_field);
  const Plan plan = choose(options, communicator, [&](const Options& each) {
    Plan made = make_plan(each, machine, communicator);
    require_memory(made, communicator);
    return made;
  });
  const KokkosRuntime kokkos(machine.gpu);
  session->warn_of_shared_cpus();
  run(plan, machine, *session);
  return ExitCode::Good;
}

}  // namespace

}  // namespace memstencil::himeno

int main(int argc, char** argv) {
  const memstencil::ParallelRuntime runtime(argc, argv);
  const memstencil::Communicator communicator;
  return memstencil::run_program("himeno", communicator, [&] {
    return memstencil::himeno::run_himeno(argc, argv, communicator);
  });
}
