// The arrays of one rank of a grid code for as long as they live, and the messages between the
// ranks' p.
#pragma once

#include "app/base/ranks/collectively.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/grid/fields.hpp"
#include "app/grid/halo.hpp"
#include "app/grid/solver.hpp"
#include "app/grid/verify.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace memstencil {

/// Problem has the parts that grid codes do not share:
///     Run, Arrays                   a GridRun; the Solver's Arrays
///     reads                         arrays that a sweep reads, for measure_limit()
///     plan()                        a GridPlan with its options (GridOptions) and memory()
///                                   (ProblemMemory)
///     sweeps_of_pass(), cost()      cost: the SweepCost
///     widths()                      arrays of each allocation; the last two are p and p_next
///     arrays(fields)                pointers to them
///     fill(exec, number, slab, first plane, values)
///     kinds(exec, edges first)      of sweeps, as the Solver takes them
///     downloaded(run, p)            p on the host, which the next phase takes away again
///     fill_p(exec, seed, p)         with values of the global index alone, the halo, too
///     evaluate(seed, box, sweeps)   p after `sweeps` sweeps of these values, or without a seed
///                                   of a run's first values, in a box of global indices, k
///                                   fastest: by an expression that shares no code with the sweeps
///     verify(arrays, solver, run)   after run's timed sweeps; @throws CollectiveFailure
///     before_repeat(runs), verify_repeats(runs, communicator)   of --repeat, likewise
template <class Exec, class Problem>
class RankArrays {
public:
  using Space = Exec;
  using Arrays = typename Problem::Arrays;
  using Value = typename Arrays::Value;
  using Solver = memstencil::Solver<Exec, Arrays>;

  /// Allocates, initialises and connects. Messages go by `gpu` if it is given: connect().
  /// Collective.
  RankArrays(const Exec& exec, const Problem& problem, const Communicator& communicator,
             const GpuPaths& gpu, Phases& phases)
      : exec_(exec), problem_(problem), communicator_(communicator) {
    const auto& plan = problem_->plan();
    collectively(communicator_, [&] {
      phases.time("allocate", [&] {
        fields_.emplace(plan.subdomain.grid, plan.placement, problem_->widths());
        halo_.emplace(plan.subdomain, plan.transport, plan.placement.space, communicator_, gpu);
      });
      initialise(phases);
    });
    halo_->connect(arrays_.p, arrays_.p_next, fields_->memory_of_p());
  }
  RankArrays(const RankArrays&) = delete;
  RankArrays& operator=(const RankArrays&) = delete;

  /// Goes on with another kind of sweep, on the same arrays, which are initialised again; for a
  /// rank that is alone: its arrays are the same for all kinds.
  void restart(const Problem& problem, Phases& phases) {
    problem_.emplace(problem);
    collectively(communicator_, [&] { initialise(phases); });
  }

  /// The time loop for `sweeps` sweeps and for those of verify(): the time loop's, and three
  /// passes. One solver at a time: two would take twice the memory. Collective.
  std::unique_ptr<Solver> solver(std::int64_t sweeps) {
    const int fused = problem_->sweeps_of_pass();
    return collectively(communicator_, [&] {
      return std::make_unique<Solver>(exec_, problem_->plan().subdomain.grid,
                                      problem_->kinds(exec_, halo_->edges_first(fused)), arrays_,
                                      sweeps + verified_sweeps(fused, sweeps) + 3 * fused, &*halo_);
    });
  }

  const Exec& exec() const { return exec_; }
  const Problem& problem() const { return *problem_; }
  const Communicator& communicator() const { return communicator_; }
  Fields<Value>& fields() { return *fields_; }
  Arrays& arrays() { return arrays_; }
  const Halo<Exec, Value>& halo() const { return *halo_; }
  Limit limit() { return measure_limit<Problem::reads>(exec_, *fields_, communicator_); }

private:
  void initialise(Phases& phases) {
    fields_->initialise(
        [&](const auto& exec, std::size_t number, const Grid& slab, std::int64_t first_plane,
            Value* values) { problem_->fill(exec, number, slab, first_plane, values); },
        phases);
    if (problem_->plan().options.pre_touch) fields_->pre_touch(phases);
    arrays_ = problem_->arrays(*fields_);
  }

  Exec exec_;
  std::optional<Problem> problem_;
  const Communicator& communicator_;
  std::optional<Fields<Value>> fields_;
  Arrays arrays_{};
  std::optional<Halo<Exec, Value>> halo_;
};

}  // namespace memstencil
