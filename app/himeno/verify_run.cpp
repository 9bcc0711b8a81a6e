// Verification of what a solver has computed, for a run and for each kind that a trial tries.
#include "app/himeno/verify_run.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/grid/patches.hpp"
#include "app/himeno/cone.hpp"
#include "app/himeno/verify.hpp"
#include "kernels/jacobi/streamed_sweep.hpp"

#include <array>

namespace memstencil::himeno {

int verified_sweeps(const Plan& plan, std::int64_t timed) {
  const int fused = plan.sweep.sweeps;
  return 3 * fused + static_cast<int>(timed % fused);
}

template <class Exec>
CheckedCode<float> checked_code(const Exec& exec, const Subdomain& part,
                                const std::optional<std::uint64_t>& seed, bool fma) {
  return {.fill =
              [=](std::uint64_t seed_of_p, float* p) {
                jacobi::initialise(exec, part.grid, filling(part, seed_of_p), jacobi::P, p);
              },
          .evaluate =
              [=](std::uint64_t seed_of_p, const Box& target, int sweeps) {
                return evaluate({part.global, seed, seed_of_p, fma}, target, sweeps);
              }};
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
    verify_samples(exec, plan.part, arrays, solver.sweep(), solver.next_sums());
  });
  const auto code = checked_code(exec, plan.part, plan.options.seed, plan.fma());
  verify_path(exec, plan.part, code, halo, {arrays.p, arrays.p_next}, communicator);

  const int checked = verified_sweeps(plan, sweeps);
  const std::int64_t slab_planes =
      plan.sweep.method == jacobi::SweepKind::Method::Streamed
          ? jacobi::streamed_planes(plan.part.grid, plan.sweep.sweeps, plan.window_bytes)
          : 0;
  const auto loop = [&] {
    Phases aside({"sweeps", "halo"});
    solver.stop_watching();  // points that nothing writes are NaN: the comparison names them
    solver.run(checked, aside);
    return arrays.p;
  };
  verify_loop<Exec, float>(exec, plan.part, code, checked, patches(plan.part, slab_planes, checked),
                           halo, {arrays.p, arrays.p_next}, loop, communicator);
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                         \
  template CheckedCode<float> checked_code(const Exec&, const Subdomain&,                    \
                                           const std::optional<std::uint64_t>&, bool);       \
  template void verify_run(const Exec&, const Plan&, const Communicator&, const Halo<Exec>&, \
                           const jacobi::Arrays&, Solver<Exec>&, const TimedSweeps&);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::himeno
