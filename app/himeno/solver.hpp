// The time loop: passes of a sweep over a rank's arrays, with the halo exchanged between them.
#pragma once

#include "app/base/cli/progress.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/base/runtime/phases.hpp"
#include "app/himeno/halo.hpp"
#include "app/himeno/pass_clock.hpp"
#include "app/himeno/residual_watch.hpp"
#include "kernels/jacobi/sweep.hpp"
#include "kernels/lap_clock.hpp"
#include "kernels/queue.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace memstencil::himeno {

/// Needs no command line and no plan: arrays that the execution space
/// reaches, from wherever they come.
template <class Exec>
class Solver {
public:
  /// @param arrays stay the caller's; after each pass p is what it was p_next before
  /// @param most_sweeps room for the residuals of so many
  /// @param halo where there are other ranks; as wide as the kind has sweeps
  /// @param window_bytes as for jacobi::make_sweep()
  Solver(const Exec& exec, const Grid& grid, const jacobi::SweepKind& kind, jacobi::Arrays& arrays,
         std::int64_t most_sweeps, const Halo<Exec>* halo = nullptr, std::size_t window_bytes = 0)
      : queue_(exec),
        grid_(grid),
        arrays_(arrays),
        halo_(halo != nullptr && halo->needed() ? halo : nullptr),
        fused_(make_sweep(kind, window_bytes)),
        single_(jacobi::make_sweep(exec, grid, {})),
        clock_(make_lap_clock<Exec>(exec, look()), halo_ != nullptr, most_together()),
        residuals_(scratch_space(executor_of<Exec>),
                   static_cast<std::size_t>(most_sweeps + fused_->sweeps()) * sizeof(double)) {
    clock_.reserve(most_sweeps);
  }

  /// Makes `sweeps` sweeps; the times go to the phases "sweeps" and "halo". Errors of
  /// one rank are not collective.
  /// @throws Failure(Verification), without neighbours, at a gosa that is not finite: on a host
  /// after its pass, on a device within about a second
  void run(std::int64_t sweeps, Phases& phases, const Progress& progress = {}) {
    const std::int64_t end = done_ + sweeps;
    if (halo_ != nullptr) wait_for(edges_queue_, queue_);
    clock_.start();
    if (watch_) watch_->start();
    while (done_ < end) {
      pass(end);
      if (progress) progress(done_, end);
    }
    if (halo_ != nullptr) {
      wait_for(queue_, edges_queue_);
      wait_for(queue_, residuals_queue_);
    }
    clock_.finish(phases);
  }

  /// From here on no run ends at a gosa that is not finite.
  void stop_watching() { watch_.reset(); }

  jacobi::Sweep<Exec>& sweep() { return *fused_; }
  /// Are points at other ranks swept first, so that messages go on beside the rest?
  bool edges_first() const { return halo_ != nullptr && (fused_->splits() || early(*fused_)); }
  /// The part of a pass after which its messages leave.
  double edges_share() const { return edges_first() ? fused_->edges_share() : 1.0; }
  /// Seconds of each sweep so far on this rank.
  const std::vector<double>& sweep_seconds() const { return clock_.sweep_seconds(); }
  std::vector<double> take_sweep_seconds() { return std::move(clock_.sweep_seconds()); }
  /// Seconds that this rank waited for each exchange of the halo so far.
  const std::vector<double>& halo_seconds() const { return clock_.halo_seconds(); }
  /// This rank's gosa of each sweep so far.
  std::vector<double> residuals() const {
    std::vector<double> out(static_cast<std::size_t>(done_));
    copy(out.data(), residuals_.data(), out.size() * sizeof(double));
    return out;
  }
  /// Room for the residuals of one pass more than the sweeps made.
  double* next_residuals() const { return residuals_from(done_); }

private:
  /// Makes the pass after `done` sweeps, on the way to `end`.
  jacobi::Sweep<Exec>& sweep_after(std::int64_t done, std::int64_t end) const {
    return end - done >= fused_->sweeps() ? *fused_ : *single_;
  }

  void pass(std::int64_t end) {
    jacobi::Sweep<Exec>& sweep = sweep_after(done_, end);
    const std::int64_t after = done_ + sweep.sweeps();
    const bool last = after >= end || &sweep_after(after, end) != &sweep;
    const bool adds = last || kept_ + 1 == sweep.slots() / 2;
    clock_.begin(sweep.sweeps(), last);
    const jacobi::Pass pass{grid_, arrays_.coefficients, arrays_.p, arrays_.p_next};
    if (halo_ == nullptr) {
      sweep.update(queue_.exec(), pass, jacobi::Part::All, slot_of(sweep));
      if (adds) add_up(sweep, queue_);
      clock_.end();
    } else if (sweep.splits()) {
      pass_in_parts(sweep, pass, adds);
    } else {
      pass_in_turns(sweep, pass, adds);
    }
    std::swap(arrays_.p, arrays_.p_next);
    done_ = after;
    kept_ = adds ? 0 : kept_ + 1;
    if (adds) half_ = 1 - half_;
    // Another rank may see it first, and all ranks have to end together: with
    // neighbours it waits for the end.
    if (watch_ && halo_ == nullptr && adds)
      watch_->look(done_, [this](double* to, std::int64_t first, std::size_t count) {
        fetch_residuals(to, first, count);
      });
  }

  /// For the watch, in the queue of the passes. On a host the clock has waited for the pass.
  void fetch_residuals(double* to, std::int64_t first, std::size_t count) const {
    const double* const from = static_cast<const double*>(residuals_.data()) + first;
    if constexpr (executor_of<Exec> == Executor::Host) {
      std::copy_n(from, count, to);
    } else {
      using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
      using There = Kokkos::View<const double*, typename Exec::memory_space, Unmanaged>;
      using Here = Kokkos::View<double*, Kokkos::HostSpace, Unmanaged>;
      Kokkos::deep_copy(queue_.exec(), Here(to, count), There(from, count));
      queue_.exec().fence("himeno: gosa so far");
    }
  }

  /// The sums of a half of the slots are added up while passes fill the other.
  int first_slot(const jacobi::Sweep<Exec>& sweep) const { return half_ * sweep.slots() / 2; }
  int slot_of(const jacobi::Sweep<Exec>& sweep) const { return first_slot(sweep) + kept_; }
  void add_up(jacobi::Sweep<Exec>& sweep, const Queue<Exec>& queue) {
    sweep.add_up(queue.exec(), {first_slot(sweep), kept_ + 1},
                 residuals_from(done_ - std::int64_t{kept_} * sweep.sweeps()));
  }
  double* residuals_from(std::int64_t sweep) const {
    return static_cast<double*>(residuals_.data()) + sweep;
  }

  /// Do messages leave while the sweep makes the rest of its points?
  bool early(const jacobi::Sweep<Exec>& sweep) const {
    return sweep.tells_edges() && halo_->without_kernels();
  }

  /// The sweeps, then the messages in the same queue, or in another as soon as their points are
  /// made; gosa beside them.
  void pass_in_turns(jacobi::Sweep<Exec>& sweep, const jacobi::Pass& pass, bool adds) {
    if (kept_ == 0) queue_.wait_for(added_[half_]);
    sweep.update(queue_.exec(), pass, jacobi::Part::All, slot_of(sweep));
    if (adds) {
      wait_for(residuals_queue_, queue_);
      add_up(sweep, residuals_queue_);
      added_[half_].record(residuals_queue_.exec());
    }
    clock_.swept();
    if (early(sweep)) {
      sweep.wait_for_edges(edges_queue_.exec());
      halo_->exchange(pass.p_next, edges_queue_.exec());
      wait_for(queue_, edges_queue_);
    } else {
      halo_->exchange(pass.p_next, queue_.exec());
    }
    clock_.end();
  }

  /// The second queue has edges and messages, while the first has the inner tiles. These need the
  /// edges of the pass before, but no halo: so messages have until the edges after the next inner
  /// tiles. gosa has a queue of its own: inner tiles fill the GPU, and what starts beside them
  /// waits for some of them to end, so that nothing must stand before the edges that need not.
  void pass_in_parts(jacobi::Sweep<Exec>& sweep, const jacobi::Pass& pass, bool adds) {
    edges_queue_.wait_for(inner_done_);
    if (kept_ == 0) {
      edges_queue_.wait_for(added_[half_]);
      queue_.wait_for(added_[half_]);
    }
    sweep.update(edges_queue_.exec(), pass, jacobi::Part::Edges, slot_of(sweep));
    edges_done_.record(edges_queue_.exec());
    sweep.update(queue_.exec(), pass, jacobi::Part::Inner, slot_of(sweep));
    inner_done_.record(queue_.exec());
    clock_.swept();
    queue_.wait_for(edges_done_);
    clock_.end();
    halo_->exchange(pass.p_next, edges_queue_.exec());
    if (!adds) return;
    residuals_queue_.wait_for(inner_done_);
    residuals_queue_.wait_for(edges_done_);
    add_up(sweep, residuals_queue_);
    added_[half_].record(residuals_queue_.exec());
  }

  /// Work given to one queue from here on starts after the work that the other has now.
  void wait_for(const Queue<Exec>& waiting, const Queue<Exec>& other) {
    reached_.record(other.exec());
    waiting.wait_for(reached_);
  }

  /// A device makes parts of a pass beside each other. A host has one queue.
  std::unique_ptr<jacobi::Sweep<Exec>> make_sweep(const jacobi::SweepKind& kind,
                                                  std::size_t window_bytes) const {
    const bool apart = halo_ != nullptr && executor_of<Exec> == Executor::Device &&
                       (kind.sweeps == 1 || halo_->without_kernels());
    return jacobi::make_sweep(queue_.exec(), grid_, kind, window_bytes, apart);
  }

  std::function<void()> look() const {
    if (halo_ == nullptr) return {};
    return [halo = halo_] { halo->look(); };
  }

  /// Passes that are timed together. A host waits for each pass; with a halo there are fewer,
  /// because the host looks for errors between them.
  std::int64_t most_together() const {
    if (executor_of<Exec> == Executor::Host) return 1;
    return halo_ != nullptr ? 16 : 64;
  }

  Queue<Exec> queue_;
  Grid grid_;
  jacobi::Arrays& arrays_;
  const Halo<Exec>* halo_;                      ///< null where no rank is a neighbour
  Queue<Exec> edges_queue_, residuals_queue_;   ///< used where there are other ranks
  std::unique_ptr<jacobi::Sweep<Exec>> fused_;  ///< the kind asked for
  /// For what is left when T does not divide the sweeps. It must not split: its edges would not
  /// wait for a fused pass.
  std::unique_ptr<jacobi::Sweep<Exec>> single_;
  Event<Exec> edges_done_, inner_done_, reached_;
  std::array<Event<Exec>, 2> added_;  ///< the sums of each half of the slots
  int half_ = 0;                      ///< of the slots that passes fill
  int kept_ = 0;                      ///< passes whose gosa is not added up yet
  PassClock clock_;
  std::optional<ResidualWatch> watch_{
      std::chrono::seconds(executor_of<Exec> == Executor::Host ? 0 : 1)};
  Buffer residuals_;
  std::int64_t done_ = 0;
};

}  // namespace memstencil::himeno
