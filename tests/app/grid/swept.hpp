// A grid code's program after its timed sweeps on the host, for faults in them and after them.
#pragma once

#include "app/grid/run.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace memstencil {

/// @tparam Problem of the default host execution space
template <class Problem, class Plan>
struct Swept {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  using Doing = std::function<void(Swept&)>;

  /// @param before the sweeps
  explicit Swept(
      const Plan& its, const Doing& before = [](Swept&) {})
      : plan(its),
        phases(phases_of(plan.options)),
        arrays(Exec(), Problem(plan), communicator, {}, phases),
        solver(arrays.solver(plan.options.iterations)) {
    before(*this);
    solver->run(plan.options.iterations);
    run.iterations = plan.options.iterations;
    run.sums = solver->sums();
    communicator.sum(run.sums);
    arrays.problem().downloaded(run, arrays.arrays().p);
  }
  void verify() { arrays.problem().verify(arrays, *solver, run); }
  /// In the middle of the rank's, from where no message is sent.
  auto& point() {
    const Box& owned = plan.subdomain.grid.owned;
    const auto middle = [&](int d) { return (owned.lo[d] + owned.hi[d]) / 2; };
    return arrays.arrays()
        .p[plan.subdomain.grid.row(middle(0), middle(1)) + static_cast<std::size_t>(middle(2))];
  }

  Communicator communicator;
  Plan plan;
  Phases phases;
  RankArrays<Exec, Problem> arrays;
  std::unique_ptr<typename RankArrays<Exec, Problem>::Solver> solver;
  typename Problem::Run run;
};

}  // namespace memstencil
