// heat from its plan to its result: 7-point diffusion in double, as a grid code: its arrays, its
// sweeps and its checks, as the run of any grid code (app/grid/run.hpp) asks for them.
#pragma once

#include "app/grid/run.hpp"
#include "kernels/heat/sweep.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::heat {

struct Plan : GridPlan {
  ProblemMemory memory() const;
};

/// Collective. @throws CollectiveFailure(Machine) for a plan that it cannot follow, or (Usage)
Plan make_plan(const GridOptions& options, const Machine& machine,
               const Communicator& communicator);

/// --repeat runs. Messages go by `gpu` if it is given: connect(). Collective.
/// @throws CollectiveFailure(Verification); and the errors of allocation
std::vector<GridRun> run_repeats(const Plan& plan, const Communicator& communicator,
                                 const GpuPaths& gpu = {});

struct Result : GridResult {
  std::optional<std::vector<GridRun>> repeats;
  void describe(Archive& a) const {
    describe_as("heat", a);
    a.optional("repeats", repeats);
  }
};
/// @param verbose all lines, not only the notable ones
std::string text_report(const Result& result, bool verbose);

/// The factor by which `sweeps` sweeps shrink the eigenmode:
/// (1 - diffusion * sum over the directions of 4 sin^2(pi/(2 (extent - 1)))) ^ sweeps.
double decay(const Triple& global, std::int64_t sweeps);

/// @param fma is a*b + c rounded once, as on a GPU, or twice?
std::vector<double> evaluate(const Triple& global, std::uint64_t seed, const Box& target,
                             int sweeps, bool fma);

/// Is every owned point of p the eigenmode after `sweeps` sweeps? The error may be 8 (sweeps + 8)
/// 2^-53 of the largest value: a sweep rounds by up to four times 2^-53. Overwrites p_next.
/// @throws Failure(Verification) that names rank and sweep
template <class Exec>
void verify_mode(const Exec& exec, const Subdomain& subdomain, std::int64_t sweeps,
                 const Arrays& arrays) {
  const double factor = decay(subdomain.global, sweeps);
  // A number below the smallest one with all digits has lost some.
  const double allowed = static_cast<double>(sweeps + 8) * 8 * (0x1p-53 * factor + 0x1p-1074);
  initialise(exec, subdomain.grid, subdomain.filling({}), arrays.p_next);
  const double off = distance(exec, subdomain.grid, arrays.p, factor, arrays.p_next);
  if (!(off <= allowed))
    throw Failure(ExitCode::Verification,
                  fmt::format("verification failed: after sweep {} p of rank {} is up to {:.3g} "
                              "from the eigenmode, whose highest value is {:.9g}, and {:.3g} is "
                              "allowed",
                              sweeps, subdomain.rank(), off, factor, allowed));
}

template <class Exec>
class Problem {
public:
  using Run = GridRun;
  using Arrays = heat::Arrays;
  static constexpr std::size_t reads = 1;

  /// The plan must outlive it.
  explicit Problem(const Plan& plan) : plan_(plan) {}

  const Plan& plan() const { return plan_; }
  int sweeps_of_pass() const { return 1; }
  SweepCost cost() const {
    const double points = updated_points(plan_.options.extents);
    return {bytes_per_point * points, flops_per_point * points};
  }
  std::vector<std::size_t> widths() const { return {1, 1}; }
  Arrays arrays(const Fields<double>& fields) const { return {fields.p(), fields.p_next()}; }

  template <class Toucher>
  void fill(const Toucher& exec, std::size_t, const Grid& slab, std::int64_t first_plane,
            double* values) const {
    Filling filling = plan_.subdomain.filling({});
    filling.origin[0] += first_plane;
    initialise(exec, slab, filling, values);
  }

  typename Solver<Exec, Arrays>::Kinds kinds(const Exec& exec, EdgesFirst edges_first) const {
    return {make_sweep(exec, plan_.subdomain.grid, edges_first), nullptr};
  }
  void downloaded(Run&, const double*) const {}
  void before_repeat(const std::vector<Run>&) const {}
  void verify_repeats(const std::vector<Run>&, const Communicator&) const {}

  void fill_p(const Exec& exec, std::uint64_t seed, double* p) const {
    initialise(exec, plan_.subdomain.grid, plan_.subdomain.filling(seed), p);
  }
  /// The seed must be given.
  std::vector<double> evaluate(const std::optional<std::uint64_t>& seed, const Box& target,
                               int sweeps) const {
    return heat::evaluate(plan_.subdomain.global, seed.value(), target, sweeps, plan_.fma());
  }
  /// Messages, eigenmode, transport, time loop (docs/reference/verification.md).
  void verify(RankArrays<Exec, Problem>& arrays, Solver<Exec, Arrays>& solver,
              const Run& run) const {
    verify_grid(arrays, solver, run.iterations, false, [&](const auto&) {
      verify_mode(arrays.exec(), plan_.subdomain, run.iterations, arrays.arrays());
    });
  }

private:
  const Plan& plan_;
};

}  // namespace memstencil::heat
