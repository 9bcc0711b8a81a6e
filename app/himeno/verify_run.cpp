// Verification of what a solver has computed, for a run and for each kind that a trial tries.
#include "app/himeno/verify_run.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/himeno/patches.hpp"
#include "app/himeno/verify.hpp"
#include "app/himeno/verify_loop.hpp"
#include "app/himeno/verify_messages.hpp"
#include "kernels/jacobi/streamed_sweep.hpp"

namespace memstencil::himeno {

namespace {

template <class Exec>
void verify_time_loop(const Exec& exec, const Plan& plan, const Communicator& communicator,
                      const Halo<Exec>& halo, const jacobi::Arrays& arrays, Solver<Exec>& solver,
                      std::int64_t timed) {
  const LoopCase loop{plan.options.seed, plan.fma(), verified_sweeps(plan, timed)};
  const std::int64_t slab_planes =
      plan.sweep.method == jacobi::SweepKind::Method::Streamed
          ? jacobi::streamed_planes(plan.part.grid, plan.sweep.sweeps, plan.window_bytes)
          : 0;
  Phases aside({"sweeps", "halo"});
  solver.stop_watching();  // points that nothing writes are NaN: the comparison names them
  verify_loop(
      exec, plan.part, loop, patches(plan.part, slab_planes, loop.sweeps), halo, arrays,
      [&] { solver.run(loop.sweeps, aside); }, communicator);
}

}  // namespace

int verified_sweeps(const Plan& plan, std::int64_t timed) {
  const int fused = plan.sweep.sweeps;
  return 3 * fused + static_cast<int>(timed % fused);
}

template <class Exec>
void verify_run(const Exec& exec, const Plan& plan, const Communicator& communicator,
                const Halo<Exec>& halo, const jacobi::Arrays& arrays, Solver<Exec>& solver,
                const TimedSweeps& timed) {
  const auto sweeps = static_cast<std::int64_t>(timed.gosa.size());
  const std::int64_t last = timed.before + sweeps;
  verify_messages(exec, plan.part, arrays.p, last, communicator);
  collectively(communicator, [&] {
    verify_finite(timed.gosa, timed.before);
    verify_gosa(timed.gosa.back(),
                known_gosa(plan.options.extents, last, plan.options.seed, plan.fma()));
    verify_samples(exec, plan.part, arrays, solver.sweep(), solver.next_residuals());
  });
  verify_path(exec, plan.part, halo, arrays, communicator);
  verify_time_loop(exec, plan, communicator, halo, arrays, solver, sweeps);
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                         \
  template void verify_run(const Exec&, const Plan&, const Communicator&, const Halo<Exec>&, \
                           const jacobi::Arrays&, Solver<Exec>&, const TimedSweeps&);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::himeno
