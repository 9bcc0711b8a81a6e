// One run from allocation to release: the phases of the benchmark, timed.
#include "app/himeno/run.hpp"

#include "app/common/agree.hpp"
#include "app/common/clock.hpp"
#include "app/common/profiled_phases.hpp"
#include "app/himeno/demands.hpp"
#include "app/himeno/expected.hpp"
#include "app/himeno/solver.hpp"
#include "app/himeno/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace memstencil::himeno {

namespace {

/// The original's three sweeps, in whole passes of the kind that will run.
std::int64_t rehearsal_sweeps(const Setup& setup) {
  constexpr std::int64_t original = 3;
  const std::int64_t fused = setup.part.halo;
  return (original + fused - 1) / fused * fused;
}

Phases named_phases() {
  return profiled_phases(
      {"allocate", "initialise", "upload", "sweeps", "halo", "reduce", "download", "free"});
}

/// What a run holds in memory.
struct Memory {
  Fields fields;
  Halo halo;

  Memory(const Setup& setup, const Communicator& communicator)
      : fields(setup.part.grid, setup.placement, setup.placement_of_p), halo(setup, communicator) {}
};

/// The original's rehearsal, whose time says how many fill the seconds asked for. The
/// field goes on from there, as the original's does.
std::int64_t rehearse(const Setup& setup, const Communicator& communicator, Memory& memory) {
  Phases aside = named_phases();
  const std::int64_t sweeps = rehearsal_sweeps(setup);
  Solver solver(setup, memory.fields, memory.halo, sweeps);
  solver.run(sweeps, aside, [](std::int64_t, std::int64_t) {});
  std::array<double, 1> seconds{aside.total() / static_cast<double>(sweeps)};
  communicator.maximum(seconds);
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(*setup.options.seconds / std::max(seconds[0], 1e-9)));
}

void verify(const Setup& setup, const Communicator& communicator, const Memory& memory, Solver& solver,
            const RunResult& result) {
  agree(communicator, [&] {
    const std::int64_t sweep = result.rehearsal + static_cast<std::int64_t>(result.gosa.size());
    verify_gosa(result.gosa.back(), known_gosa(setup.options.extents, sweep, setup.options.seed),
                gosa_tolerance(setup.fma, setup.options.seed.has_value()));
    verify_samples(memory.fields, setup.part, setup.placement, solver.sweep(), solver.next_residuals());
  });
}

/// Puts the ranks' times together. Between two points where all ranks meet the run takes as long as its
/// slowest rank.
void take_times(RunResult& result, const Communicator& communicator) {
  Phases& phases = result.phases;
  std::array<double, 4> spans{
      phases.seconds("allocate") + phases.seconds("initialise") + phases.seconds("upload"),
      result.solve_seconds, phases.seconds("download"), phases.seconds("free")};
  communicator.maximum(spans);
  result.solve_seconds = spans[1];
  result.total_seconds = std::accumulate(spans.begin(), spans.end(), 0.0);
  phases.take_slowest(phases.seconds("sweeps"), communicator);
}

}  // namespace

RunResult run_once(const Setup& setup, const Communicator& communicator, const Progress& progress) {
  RunResult result{.phases = named_phases(),
                   .sweep_seconds = {},
                   .gosa = {},
                   .sweep = {},
                   .sweep_kernel = {},
                   .limit = {},
                   .p = {}};
  Phases& phases = result.phases;
  auto memory = agree(communicator, [&] {
    auto made = phases.time("allocate", [&] { return std::make_unique<Memory>(setup, communicator); });
    made->fields.initialise(filling_of(setup), phases);
    return made;
  });
  memory->halo.connect();

  std::int64_t sweeps = setup.options.iterations;
  if (setup.options.seconds) {
    sweeps = rehearse(setup, communicator, *memory);
    agree(communicator, [&] {
      check_memory(fmt::format("what is kept of {} sweeps", sweeps), "fewer --seconds",
                   demands_of_sweeps(setup, sweeps), setup.placement, communicator);
    });
    result.rehearsal = rehearsal_sweeps(setup);
  }
  auto solver = agree(communicator,
                      [&] { return std::make_unique<Solver>(setup, memory->fields, memory->halo, sweeps); });
  result.sweep = {.sweeps = solver->sweep().sweeps()};
  result.sweep_kernel = solver->sweep().describe();

  communicator.barrier();
  result.solve_seconds = host_seconds([&] {
    solver->run(sweeps, phases, progress);
    phases.time("reduce", [&] {
      result.gosa = solver->residuals();
      communicator.sum(result.gosa);
    });
  });
  phases.time("download", [&] { memory->fields.download(); });

  result.sweep_seconds = solver->take_sweep_seconds();
  communicator.maximum(result.sweep_seconds);
  verify(setup, communicator, *memory, *solver, result);
  if (setup.options.save_field) {
    const float* p = memory->fields.host_p();
    result.p.assign(p, p + setup.part.grid.floats());
  }
  result.limit = measure_limit(memory->fields, setup.part.grid, setup.placement.executor, communicator);
  solver.reset();
  phases.time("free", [&] { memory.reset(); });
  take_times(result, communicator);
  return result;
}

std::vector<RunResult> run_repeats(const Setup& setup, const Communicator& communicator,
                                   const std::function<Progress(int run)>& progress_of) {
  std::vector<RunResult> repeats;
  for (int run = 1; run <= setup.options.repeat; ++run) {
    if (!repeats.empty()) repeats.back().p = {};
    repeats.push_back(run_once(setup, communicator, progress_of(run)));
  }
  return repeats;
}

}  // namespace memstencil::himeno
