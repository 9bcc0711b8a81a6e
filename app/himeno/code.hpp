// himeno as a grid code: its arrays, its sweeps and its checks, as the run of any grid code
// (app/grid/run.hpp) asks for them.
#pragma once

#include "app/grid/run.hpp"
#include "app/himeno/plan.hpp"
#include "app/himeno/result.hpp"
#include "app/himeno/verify.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace memstencil::himeno {

template <class Exec>
using Solver = memstencil::Solver<Exec, jacobi::Arrays>;

/// @param most_sweeps room for gosa of so many
/// @param halo where there are other ranks; as wide as the kind has sweeps
/// @param window_bytes as for jacobi::make_sweep()
template <class Exec>
std::unique_ptr<Solver<Exec>> make_solver(const Exec& exec, const Grid& grid,
                                          const jacobi::SweepKind& kind, jacobi::Arrays& arrays,
                                          std::int64_t most_sweeps,
                                          const Halo<Exec, float>* halo = nullptr,
                                          std::size_t window_bytes = 0) {
  const EdgesFirst edges_first = in_parts<Exec>(halo != nullptr && halo->needed())
                                     ? halo->edges_first(kind.sweeps)
                                     : EdgesFirst::No;
  typename Solver<Exec>::Kinds kinds{
      jacobi::make_sweep(exec, grid, kind, window_bytes, edges_first),
      kind.sweeps > 1 ? jacobi::make_sweep(exec, grid, jacobi::SweepKind{}) : nullptr};
  return std::make_unique<Solver<Exec>>(exec, grid, std::move(kinds), arrays, most_sweeps, halo);
}

template <class Exec>
class Code {
public:
  using Run = himeno::RunResult;
  using Arrays = jacobi::Arrays;
  /// Ten of the coefficients.
  static constexpr std::size_t copied_pairs = 5;

  /// The plan must outlive it.
  explicit Code(const Plan& plan) : plan_(plan) {}

  const Plan& plan() const { return plan_; }
  const Options& options() const { return plan_.options; }
  int sweeps_of_pass() const { return plan_.sweep.sweeps; }
  SweepCost cost() const { return cost_of_sweep(plan_.options.extents); }
  std::vector<std::size_t> widths() const { return plan_.widths(); }

  Arrays arrays(const Fields<float>& fields) const {
    Arrays out{{}, fields.p(), fields.p_next()};
    if (packed()) {
      out.coefficients = jacobi::packed_coefficients(fields.data(0));
    } else {
      for (std::size_t n = 0; n < jacobi::coefficient_count; ++n)
        out.coefficients.arrays[n] = fields.data(n);
    }
    return out;
  }

  template <class Toucher>
  void fill(const Toucher& exec, std::size_t number, const Grid& slab, std::int64_t first_plane,
            float* values) const {
    jacobi::Filling filling = himeno::filling(plan_.part, plan_.options.seed);
    filling.origin[0] += first_plane;
    if (packed() && number == 0) return jacobi::initialise_packed(exec, slab, filling, values);
    const std::size_t coefficients = packed() ? 1 : jacobi::coefficient_count;
    auto id = jacobi::P;
    if (number < coefficients)  // p stands among them
      id = static_cast<jacobi::ArrayId>(number < jacobi::P ? number : number + 1);
    jacobi::initialise(exec, slab, filling, id, values);
  }

  std::unique_ptr<Solver<Exec>> solver(const Exec& exec, Arrays& arrays, std::int64_t most_sweeps,
                                       const Halo<Exec, float>* halo) const {
    return make_solver(exec, plan_.part.grid, plan_.sweep, arrays, most_sweeps, halo,
                       plan_.window_bytes);
  }

  CodeMemory memory() const { return plan_.memory(); }
  void downloaded(RunResult& run, const float* p) const {
    if (plan_.options.save_field) run.p.assign(p, p + plan_.part.grid.elements());
  }

  /// The five points of docs/reference/verification.md.
  void verify(Work<Exec, Code>& work, const RunResult& run) const {
    const auto own = [&] {
      const std::int64_t last = run.rehearsal + run.iterations;
      verify_finite(run.sums, run.rehearsal);
      verify_gosa(run.sums.back(),
                  known_gosa(plan_.options.extents, last, plan_.options.seed, plan_.fma()));
      verify_samples(work.exec(), plan_.part, work.arrays(), work.solver().sweep(),
                     work.solver().next_sums());
    };
    verify_grid(work, checked_code(work.exec(), plan_.part, plan_.options.seed, plan_.fma()),
                run.rehearsal, run.iterations, slab_planes(plan_), own);
  }

private:
  bool packed() const { return plan_.layout == jacobi::Layout::Packed; }

  const Plan& plan_;
};

}  // namespace memstencil::himeno
