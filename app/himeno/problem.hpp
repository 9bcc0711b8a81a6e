// himeno as a grid code: its arrays, its sweeps and its checks, as the run of any grid code
// (app/grid/run.hpp) asks for them.
#pragma once

#include "app/grid/run.hpp"
#include "app/himeno/plan.hpp"
#include "app/himeno/result.hpp"
#include "app/himeno/verify.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace memstencil::himeno {

template <class Exec>
using Solver = memstencil::Solver<Exec, jacobi::Arrays>;

template <class Exec>
class Problem {
public:
  using Run = himeno::RunResult;
  using Arrays = jacobi::Arrays;
  /// All but p_next.
  static constexpr std::size_t reads = jacobi::coefficient_count + 1;

  /// The plan must outlive it.
  explicit Problem(const Plan& plan) : plan_(plan) {}

  const Plan& plan() const { return plan_; }
  int sweeps_of_pass() const { return plan_.sweep.kind.sweeps; }
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
    Filling filling = plan_.subdomain.filling(plan_.own.seed);
    filling.origin[0] += first_plane;
    if (packed() && number == 0) return jacobi::initialise_packed(exec, slab, filling, values);
    const std::size_t coefficients = packed() ? 1 : jacobi::coefficient_count;
    auto id = jacobi::P;
    if (number < coefficients)  // p stands among them
      id = static_cast<jacobi::ArrayId>(number < jacobi::P ? number : number + 1);
    jacobi::initialise(exec, slab, filling, id, values);
  }

  /// The plan's kind, and single sweeps for the rest of a pass; streamed passes may be shorter.
  typename Solver<Exec>::Kinds kinds(const Exec& exec, EdgesFirst edges_first) const {
    return {plan_.sweep.make(exec, edges_first),
            sweeps_of_pass() > 1 && !streamed() ? jacobi::make_sweep(exec, plan_.subdomain.grid)
                                                : nullptr};
  }

  void downloaded(RunResult& run, const float* p) const {
    if (plan_.own.save_field) run.p.assign(p, p + plan_.subdomain.grid.elements());
  }

  /// p is the same to the bit in all repeats: only the last keeps it.
  void before_repeat(std::vector<RunResult>& repeats) const {
    if (!repeats.empty()) repeats.back().p = {};
  }
  void verify_repeats(const std::vector<RunResult>& repeats,
                      const Communicator& communicator) const {
    collectively(communicator, [&] {
      for (const RunResult& each : repeats) verify_same_gosa(repeats.front().sums, each.sums);
    });
  }

  void fill_p(const Exec& exec, std::uint64_t seed, float* p) const {
    jacobi::initialise(exec, plan_.subdomain.grid, plan_.subdomain.filling(seed), jacobi::P, p);
  }
  std::vector<float> evaluate(const std::optional<std::uint64_t>& seed, const Box& target,
                              int sweeps) const {
    const auto& own = plan_.own.seed;
    return himeno::evaluate(dependence(seed ? seed : own), target, sweeps);
  }

  /// The points of docs/reference/verification.md.
  void verify(RankArrays<Exec, Problem>& arrays, Solver<Exec>& solver, const RunResult& run) const {
    double gosa_of_rank = 0;
    const std::int64_t sweeps = run.iterations;
    const auto own = [&](const auto& checks) {
      const Grid& grid = plan_.subdomain.grid;
      if (evaluated_quickly(plan_.subdomain, sweeps))
        checks.compare({}, {&grid.owned, 1}, static_cast<int>(sweeps));
      verify_finite(run.sums);
      verify_gosa(run.sums.back(),
                  known_gosa(plan_.options.extents, sweeps, plan_.own.seed, plan_.fma()));
      gosa_of_rank = solver.sums(1).front();  // of the last pass made again
      const Kokkos::DefaultHostExecutionSpace host;
      if (!run.p.empty() && hash(host, grid, grid.owned, run.p.data()) !=
                                hash(arrays.exec(), grid, grid.owned, arrays.arrays().p))
        throw Failure(ExitCode::Verification,
                      fmt::format("verification failed: p of rank {} is another after its download",
                                  plan_.subdomain.rank()));
    };
    verify_grid(arrays, solver, sweeps, streamed(), own);
    const std::vector<double> of_ranks{arrays.communicator().sum(gosa_of_rank)};
    collectively(arrays.communicator(), [&] {
      verify_same_gosa({&run.sums.back(), 1}, of_ranks, order_of_ranks, sweeps - 1);
    });
    if (streamed())
      verify_everywhere(arrays, solver, verified_sweeps(sweeps_of_pass(), sweeps, true));
    else
      verify_gosa_of_pass(arrays, solver);
  }

private:
  bool streamed() const { return plan_.sweep.seams > 0; }
  Dependence dependence(const std::optional<std::uint64_t>& seed_of_p) const {
    return {plan_.subdomain.global, plan_.own.seed, seed_of_p, plan_.fma()};
  }

  /// p at all points after the time loop's sweeps, and gosa of each of them.
  void verify_everywhere(RankArrays<Exec, Problem>& arrays, const Solver<Exec>& solver,
                         int sweeps) const {
    const Communicator& communicator = arrays.communicator();
    std::vector<double> got = solver.sums(sweeps);
    std::vector<double> want = collectively(communicator, [&] {
      const auto free = static_cast<double>(available_bytes(scratch_space(executor_of<Exec>)));
      return compare_everywhere(arrays.exec(), plan_.subdomain, dependence(seed_of_loop), sweeps,
                                arrays.arrays().p, 0.9 * free / plan_.placement.ranks_of_gpu);
    });
    communicator.sum(got);
    communicator.sum(want);
    collectively(communicator, [&] { verify_same_gosa(want, got, order_of_points); });
  }

  /// From random p, which changes so much that rounding hides nothing: gosa of each sweep of a pass
  /// is that of single sweeps, and the last one's is the change of p.
  void verify_gosa_of_pass(RankArrays<Exec, Problem>& arrays, Solver<Exec>& solver) const {
    const Communicator& communicator = arrays.communicator();
    const int fused = sweeps_of_pass();
    const auto gosa_of = [&](int sweeps_of_run) {
      collectively(communicator, [&] {
        constexpr std::uint64_t seed = 1;
        fill_p(arrays.exec(), seed, arrays.arrays().p);
        arrays.exec().fence("himeno: verification");
      });
      for (int done = 0; done < fused; done += sweeps_of_run) solver.run(sweeps_of_run);
      std::vector<double> sums = solver.sums(fused);
      communicator.sum(sums);
      return sums;
    };
    const std::vector<double> by_pass = gosa_of(fused), by_sweep = gosa_of(1);
    collectively(communicator, [&] { verify_same_gosa(by_pass, by_sweep); });
    const Grid& grid = plan_.subdomain.grid;
    const Change last = collectively(communicator, [&] {
      return change(arrays.exec(), grid, grid.owned, arrays.arrays().p_next, arrays.arrays().p,
                    jacobi::omega);
    });
    verify_gosa(by_sweep.back(), last, communicator);
  }

  bool packed() const { return plan_.own.layout == jacobi::Layout::Packed; }

  const Plan& plan_;
};

}  // namespace memstencil::himeno
