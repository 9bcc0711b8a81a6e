// The time loop: passes of a sweep over a rank's arrays, with the halo exchanged between them.
#pragma once

#include "app/base/runtime/execution.hpp"
#include "app/bench/pass_clock.hpp"
#include "app/bench/phases.hpp"
#include "app/grid/halo.hpp"
#include "kernels/grid/sweep.hpp"
#include "kernels/queue.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace memstencil {

/// Needs no command line and no plan: arrays that the execution space reaches, from wherever they
/// come.
/// @tparam Arrays has Value, p, p_next, and pass(grid), which a sweep takes
template <class Exec, class Arrays>
class Solver {
public:
  using Value = typename Arrays::Value;
  using Pass = typename Arrays::Pass;
  using OneSweep = Sweep<Exec, Pass>;
  /// The kind asked for, and one for the rest of a run whose sweeps it does not divide;
  /// null if it makes one a pass, or shorter passes.
  struct Kinds {
    std::unique_ptr<OneSweep> pass, rest;
  };

  /// @param arrays stay the caller's; each pass swaps p and p_next
  /// @param most_sweeps of all runs: the room for their sums
  /// @param halo if there are other ranks; as wide as the kind has sweeps
  Solver(const Exec& exec, const Grid& grid, Kinds kinds, Arrays& arrays, std::int64_t most_sweeps,
         const Halo<Exec, Value>* halo = nullptr)
      : queue_(exec),
        grid_(grid),
        arrays_(arrays),
        halo_(halo != nullptr && halo->needed() ? halo : nullptr),
        kinds_(std::move(kinds)),
        clock_(make_lap_clock<Exec>(exec, look()), halo_ != nullptr, most_together()),
        sums_(scratch_space(executor_of<Exec>),
              static_cast<std::size_t>(
                  kinds_.pass->slots() == 0 ? 1 : most_sweeps + kinds_.pass->sweeps()) *
                  sizeof(double),  // a pass that is shorter may leave the sums of a whole one
              "sums of sweeps") {
    clock_.reserve(most_sweeps);
  }

  /// Makes `sweeps` sweeps. Errors of one rank are not collective.
  SweepTimes run(std::int64_t sweeps) {
    const ProfilingRegion region("sweeps");
    const std::int64_t end = done_ + sweeps;
    clock_.start();
    while (done_ < end) pass(end);
    if (halo_ != nullptr) wait_for(queue_, edges_queue_);
    return clock_.finish();
  }

  OneSweep& sweep() { return *kinds_.pass; }
  /// Are points at other ranks swept first, so that messages travel during the rest?
  bool edges_first() const { return edges_of(*kinds_.pass) != Edges::Last; }
  /// Seconds of each sweep so far on this rank.
  const std::vector<double>& sweep_seconds() const { return clock_.sweep_seconds(); }
  std::vector<double> take_sweep_seconds() { return std::move(clock_.sweep_seconds()); }
  /// Seconds that this rank waited for each exchange of the halo so far.
  const std::vector<double>& halo_seconds() const { return clock_.halo_seconds(); }
  /// This rank's sum of each sweep so far, or of the last ones; none if sweeps have no sums.
  std::vector<double> sums() const { return sums(done_); }
  std::vector<double> sums(std::int64_t last) const {
    if (kinds_.pass->slots() == 0) return {};
    std::vector<double> out(static_cast<std::size_t>(last));
    copy(out.data(), sums_from(done_ - last), out.size() * sizeof(double));
    return out;
  }

private:
  /// Makes the pass after `done` sweeps, on the way to `end`.
  OneSweep& sweep_after(std::int64_t done, std::int64_t end) const {
    const bool whole = end - done >= kinds_.pass->sweeps() || kinds_.rest == nullptr;
    return whole ? *kinds_.pass : *kinds_.rest;
  }

  void pass(std::int64_t end) {
    OneSweep& sweep = sweep_after(done_, end);
    const int made = sweep.next(end - done_);
    const std::int64_t after = done_ + made;
    const bool last = end - after < sweep.sweeps();  // of its kind and length
    const bool adds = sweep.slots() > 0 && (last || kept_ + 1 == sweep.slots());
    const Edges edges = edges_of(sweep);
    const bool apart = edges == Edges::Apart;
    clock_.begin(made, last);
    const Pass pass = arrays_.pass(grid_);
    if (apart) wait_for(edges_queue_, queue_);  // they read its points, and fill its slots again
    const bool stored = update(sweep, pass, edges);
    if (adds && !apart) add_up(sweep);
    if (halo_ != nullptr) clock_.swept();
    if (apart) end_pass(edges);
    if (adds && apart) add_up(sweep);
    if (halo_ != nullptr) bring_halo(pass, edges, stored);
    if (!apart) end_pass(edges);
    std::swap(arrays_.p, arrays_.p_next);
    done_ = after;
    if (sweep.slots() > 0) kept_ = adds ? 0 : kept_ + 1;
  }

  /// As they are made here: only messages that go on during a pass leave early.
  Edges edges_of(const OneSweep& sweep) const {
    if (halo_ == nullptr) return Edges::Last;
    const Edges its = sweep.edges();
    return its == Edges::Early && !halo_->goes_beside() ? Edges::Last : its;
  }
  /// The peers' boxes are for sweeps that store them by the way.
  bool update(OneSweep& sweep, const Pass& pass, Edges edges) {
    std::vector<HaloStore> stores;
    if (halo_ != nullptr && halo_->peer() != nullptr && edges != Edges::Apart)
      stores = halo_->peer()->boxes(pass.p_next);
    const Exec* const queue = edges == Edges::Last ? nullptr : &edges_queue_.exec();
    return sweep.update(queue_.exec(), pass, kept_, {queue, stores});
  }

  void bring_halo(const Pass& pass, Edges edges, bool stored) const {
    const ProfilingRegion region("halo");
    const Exec& queue = (edges == Edges::Last ? queue_ : edges_queue_).exec();
    if (stored)
      halo_->peer()->signal(edges == Edges::Early, stream_of(queue));
    else
      halo_->exchange(pass.p_next, queue);
  }

  /// The next pass waits for the messages, or for edges that were made apart alone: then its rest
  /// reads no halo, and messages have until the edges after that.
  void end_pass(Edges edges) {
    if (edges != Edges::Last) wait_for(queue_, edges_queue_);
    clock_.end();
  }

  void add_up(OneSweep& sweep) {
    sweep.add_up(queue_.exec(), kept_ + 1, sums_from(done_ - std::int64_t{kept_} * sweep.sweeps()));
  }
  double* sums_from(std::int64_t sweep) const { return static_cast<double*>(sums_.data()) + sweep; }

  /// Work given to one queue from here on starts after the work that the other has now.
  void wait_for(const Queue<Exec>& waiting, const Queue<Exec>& other) {
    reached_.record(other.exec());
    waiting.wait_for(reached_);
  }

  std::function<void()> look() const {
    if (halo_ == nullptr) return {};
    return [halo = halo_] { halo->look(); };
  }

  /// With a halo fewer, because the host looks for errors between them.
  std::int64_t most_together() const {
    const std::int64_t alone = passes_together(executor_of<Exec>);
    return halo_ != nullptr ? std::min<std::int64_t>(16, alone) : alone;
  }

  Queue<Exec> queue_;
  Grid grid_;
  Arrays& arrays_;
  const Halo<Exec, Value>* halo_;  ///< null if no rank is a neighbour
  Queue<Exec> edges_queue_;        ///< used if there are other ranks
  Kinds kinds_;
  Event<Exec> reached_;
  int kept_ = 0;  ///< passes whose sums are not added up yet
  PassClock clock_;
  Buffer sums_;
  std::int64_t done_ = 0;
};

}  // namespace memstencil
