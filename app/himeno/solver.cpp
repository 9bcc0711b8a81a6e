// The time loop over himeno's arrays.
#include "app/himeno/solver.hpp"

#include "app/himeno/verify.hpp"

namespace memstencil::himeno {

template <class Exec>
std::unique_ptr<Solver<Exec>> make_solver(const Exec& exec, const Grid& grid,
                                          const jacobi::SweepKind& kind, jacobi::Arrays& arrays,
                                          std::int64_t most_sweeps, const Halo<Exec>* halo,
                                          std::size_t window_bytes) {
  const EdgesFirst edges_first = in_parts<Exec>(halo != nullptr && halo->needed())
                                     ? halo->edges_first(kind.sweeps)
                                     : EdgesFirst::No;
  typename Solver<Exec>::Kinds kinds{
      jacobi::make_sweep(exec, grid, kind, window_bytes, edges_first),
      kind.sweeps > 1 ? jacobi::make_sweep(exec, grid, jacobi::SweepKind{}) : nullptr};
  return std::make_unique<Solver<Exec>>(exec, grid, std::move(kinds), arrays, most_sweeps, halo,
                                        verify_finite);
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                     \
  template std::unique_ptr<Solver<Exec>> make_solver(                                    \
      const Exec&, const Grid&, const jacobi::SweepKind&, jacobi::Arrays&, std::int64_t, \
      const Halo<Exec>*, std::size_t);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::himeno
