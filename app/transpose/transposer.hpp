// One rank's share of a transpose, and its time: tiles are packed, sent and transposed, or stored
// straight into the other GPUs' B.
#pragma once

#include "app/base/runtime/execution.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/bench/pass_clock.hpp"
#include "app/bench/phases.hpp"
#include "app/transpose/matrices.hpp"
#include "app/transpose/plan.hpp"
#include "kernels/elapsed.hpp"
#include "kernels/queue.hpp"
#include "kernels/transpose/transpose.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace memstencil::transpose {

/// The times of iterations on this rank.
struct Timing {
  std::vector<double> seconds;  ///< each iteration
  std::size_t measured = 0;     ///< of these; the others share a time with one of them
  /// "pack", "exchange", "transpose" over all iterations. On several ranks "pack" is until the
  /// messages leave, "exchange" until all have come and the rank's own tile is transposed: with
  /// MPI at the same time.
  Phases parts{{"pack", "exchange", "transpose"}};
};

/// The copy stays on its rank: it is the yardstick, the bandwidth of the ranks' memories.
template <class Exec, class T>
class Transposer {
public:
  /// Allocates, fills the matrices, names the memory of messages or stores to the GPUs' paths, and
  /// connects all ranks. The plan and the communicator must outlive it. Collective.
  /// @param gpu of the plan's transport; none: MPI carries tiles
  Transposer(const Exec& exec, const Plan& plan, const Communicator& communicator,
             const GpuPaths& gpu, Phases& phases)
      : exec_(exec), plan_(plan), part_(plan.part()), communicator_(communicator), gpu_(gpu) {
    collectively(communicator_, [&] {
      phases.time("allocate", [&] {
        matrices_.emplace(plan.placement, part_);
        if (plan.sends_tiles()) tiles_ = Tiles(plan.memory_of_messages(), part_);
      });
      matrices_->initialise(phases);
    });
    gpu_.connect(gpu_.peers ? std::vector{&matrices_->memory_of_b()} : tiles_.buffers());
    for (int rank = 0; gpu_.peers && rank < part_.ranks; ++rank)
      b_of_ranks_.push_back(rank == part_.rank
                                ? matrices_->b()
                                : reinterpret_cast<T*>(gpu_.peers->reach(rank, matrices_->b())));
    if (part_.ranks > 1) send_once();
  }

  Matrices<T>& matrices() { return *matrices_; }
  const Tiles& tiles() const { return tiles_; }

  /// A rank that is alone times iterations where they run, without a fence between them, and short
  /// ones on a GPU several together (PassClock). Several ranks take the host's clock, from a
  /// barrier to the end of the rank's work. Collective.
  /// @param done called after each iteration with their number so far
  Timing time(
      Variant variant, std::int64_t iterations,
      const std::function<void(std::int64_t)>& done = [](std::int64_t) {}) const {
    Timing timing;
    if (part_.ranks == 1) {
      const ProfilingRegion region("transpose");
      const Job<T> job = own_job(variant);
      PassClock clock(make_lap_clock(exec_), false, passes_together(executor_of<Exec>));
      clock.reserve(iterations);
      clock.start();
      for (std::int64_t n = 1; n <= iterations; ++n) {
        clock.begin(1, n == iterations);
        run(exec_, variant, job);
        clock.end();
        done(n);
      }
      const SweepTimes times = clock.finish();
      timing.parts.add("transpose", times.sweeps);
      timing.measured = times.measured;
      timing.seconds = std::move(clock.sweep_seconds());
      return timing;
    }
    const auto clock = make_lap_clock(exec_);
    exec_.fence("transpose");  // before others store into this rank's B
    for (std::int64_t n = 1; n <= iterations; ++n) {
      communicator_.barrier();
      timing.seconds.push_back(host_seconds([&] { iterate(variant, *clock, timing.parts); }));
      done(n);
    }
    timing.measured = timing.seconds.size();
    if (stores_into_others()) communicator_.barrier();  // the others have written
    return timing;
  }

  /// This rank's part that needs no other rank; it may be empty.
  Job<T> own_job(Variant variant) const {
    if (variant == Variant::Copy) {
      const matrix::Block a = part_.a();
      return {matrices_->a(), matrices_->b(), a.rows, a.columns, a.pitch, a.pitch};
    }
    return job_to(part_.rank);
  }

  /// Bytes that this rank's part of an iteration reads and writes at least.
  double bytes(Variant variant) const {
    const matrix::Block block = variant == Variant::Copy ? part_.a() : part_.b();
    return 2.0 * sizeof(T) * static_cast<double>(block.rows) * static_cast<double>(block.columns);
  }

private:
  /// Every message of an iteration, with any content: a library connects two ranks at their first
  /// message, which must not be timed.
  void send_once() const {
    exec_.fence("messages");
    send([] {});
    wait_for(exec_, gpu_.messages.get());
  }

  bool stores_into_others() const { return !b_of_ranks_.empty(); }

  static bool empty(const Job<T>& job) { return job.rows == 0 || job.columns == 0; }

  /// Transposes a tile, whose rows begin at `a`, into the B of the rank whose rows they are.
  Job<T> job_of(const Slice& rows, const Slice& columns, const T* a, std::int64_t a_pitch,
                int to) const {
    T* const b = to == part_.rank ? matrices_->b() : b_of_ranks_.at(static_cast<std::size_t>(to));
    const std::int64_t b_pitch = part_.b().pitch;
    return {.a = a,
            .b = b + (columns.first - part_.rows_of_b(to).first) * b_pitch + rows.first,
            .rows = rows.count,
            .columns = columns.count,
            .a_pitch = a_pitch,
            .b_pitch = b_pitch,
            .tile = plan_.options.tile};
  }
  /// Transposes this rank's part of the rows of a B.
  Job<T> job_to(int to) const {
    const Slice columns = part_.rows_of_b(to);
    return job_of(part_.rows_of_a(part_.rank), columns, matrices_->a() + columns.first,
                  part_.a().pitch, to);
  }

  std::vector<Job<T>> jobs_of_all_ranks() const {
    static_assert(most_jobs_together >= most_peers);
    std::vector<Job<T>> jobs;
    for (int n = 0; n < part_.ranks; ++n) {
      const int to = (part_.rank + n) % part_.ranks;  // not all into the same GPU at a time
      const Job<T> job = job_to(to);
      if (!empty(job)) jobs.push_back(job);
    }
    return jobs;
  }

  void pack() const {
    // The padding of a packed row comes along from A, whose rows have more room than columns, but
    // for the last one: Matrices has room for one more.
    for (const PackedTile& each : tiles_.outgoing())
      if (each.elements > 0)
        matrix::pack(exec_, matrices_->a() + each.columns.first, part_.a().pitch, each.rows.count,
                     each.pitch, reinterpret_cast<T*>(each.data));
    if (!gpu_.messages) exec_.fence("messages");  // MPI knows no queues
  }

  /// All messages, whose tiles are packed. A GPU's exchange gets them in the queue; `meanwhile`
  /// submits kernels that run while MPI carries them.
  template <class Work>
  void send(const Work& meanwhile) const {
    if (gpu_.messages) gpu_.messages->exchange(tiles_.messages(), stream_of(exec_));
    meanwhile();
    if (!gpu_.messages) communicator_.exchange(tiles_.messages());
  }

  void transpose_arrived(Variant variant) const {
    for (const PackedTile& each : tiles_.incoming())
      if (each.elements > 0)
        run(exec_, variant,
            job_of(each.rows, each.columns, reinterpret_cast<const T*>(each.data), each.pitch,
                   part_.rank));
  }

  void run_own(Variant variant) const {
    if (const Job<T> job = own_job(variant); !empty(job)) run(exec_, variant, job);
  }

  void iterate(Variant variant, LapClock& clock, Phases& parts) const {
    if (variant == Variant::Copy || stores_into_others())
      return parts.time("transpose", [&] {
        if (variant == Variant::Copy)
          run_own(variant);
        else
          run_together(exec_, variant, jobs_of_all_ranks());
        exec_.fence("transpose");
      });
    const auto part = [&](const char* name, const auto& work) {
      const ProfilingRegion region(name);
      work();
      clock.lap();
    };
    clock.start();
    part("pack", [&] { pack(); });
    part("exchange", [&] { send([&] { run_own(variant); }); });
    part("transpose", [&] {
      transpose_arrived(variant);
      wait_for(exec_, gpu_.messages.get());
    });
    for (std::size_t n = 0; const double lap : clock.finish())
      parts.add(parts.by_name()[n++].first, lap);
  }

  Exec exec_;
  const Plan& plan_;
  Distribution part_;
  const Communicator& communicator_;
  GpuPaths gpu_;
  std::optional<Matrices<T>> matrices_;
  Tiles tiles_;
  /// Every rank's B, as kernels of this rank see it: they write straight into them. Empty: messages
  /// carry tiles.
  std::vector<T*> b_of_ranks_;
};

/// Runs the variant on a matrix of one element elsewhere, so that the first iteration does not have
/// the work that a library or a driver does at a first call.
template <class T, class Exec>
void warm_up(const Exec& exec, Variant variant, int tile) {
  const MemorySpace space = scratch_space(executor_of<Exec>);
  const Buffer a(space, 128, "warm-up"), b(space, 128, "warm-up");
  const auto pitch = static_cast<std::int64_t>(128 / sizeof(T));
  const matrix::Block one{1, 1, pitch, 0, 0, 1, 1};  // with its padding, which vectors read
  for (const Buffer* each : {&a, &b})
    matrix::fill(exec, one, matrix::Content::A, static_cast<T*>(each->data()));
  run(exec, variant,
      Job<T>{static_cast<const T*>(a.data()), static_cast<T*>(b.data()), 1, 1, pitch, pitch, tile});
  exec.fence("transpose");
}

}  // namespace memstencil::transpose
