// One rank's share of transposing a matrix: its tiles packed, exchanged, and transposed; and the
// time of it.
#pragma once

#include "app/base/cli/progress.hpp"
#include "app/bench/carrier.hpp"
#include "app/bench/phases.hpp"
#include "app/transpose/matrices.hpp"
#include "app/transpose/tiles.hpp"
#include "kernels/lap_clock.hpp"
#include "kernels/transpose/transpose.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace memstencil::transpose {

/// The times of iterations on this rank.
struct Timing {
  std::vector<double> seconds;  ///< each iteration
  /// "pack", "exchange", "transpose" over all iterations. On several ranks "pack" is until
  /// the first messages leave, "exchange" until the last have come, and what is packed and
  /// transposed beside them counts there.
  Phases parts;
};

/// Needs no command line and no plan. The copy stays on its rank: it is the yardstick of
/// what the ranks' memories give.
template <class Exec, class T>
class Transposer {
public:
  /// All must outlive it.
  /// @param tile Job::tile
  /// @param gpu carries the messages where it is given, otherwise MPI does
  /// @param b_of_ranks every rank's B, as kernels of this rank see it: then they write straight
  ///        into them. Empty: messages carry tiles
  Transposer(const Exec& exec, const Distribution& part, int tile, const Matrices<T>& matrices,
             const Tiles<T>& tiles, const Communicator& communicator, GpuExchange* gpu = nullptr,
             std::vector<T*> b_of_ranks = {});

  /// Sends every message of an iteration once, whatever is in it: a library connects two ranks when
  /// they first speak. Collective.
  void connect() const { exchange_alone(); }
  /// Alone, iterations are timed where they run, without a fence between them; on several ranks
  /// from a barrier to the end of the rank's work, by the host's clock. Collective.
  Timing time(Variant variant, std::int64_t iterations, const Progress& progress = {}) const;
  /// One iteration, and waits for it. Collective.
  void once(Variant variant) const { time(variant, 1); }
  /// The part of a step that this rank does without the others.
  std::vector<Job<T>> own_jobs(Variant variant, std::int64_t step = 0) const;
  /// Bytes that this rank's part of an iteration reads and writes at least.
  double bytes(Variant variant) const;

  // The parts of an iteration on several ranks, each by itself; all but the
  // messages may be asynchronous.
  void pack_alone() const;
  /// Collective.
  void exchange_alone() const;
  void transpose_alone(Variant variant) const;
  /// Bytes that leave this rank in an iteration.
  double bytes_out() const;

private:
  bool stores_into_others() const { return !b_of_ranks_.empty(); }
  std::int64_t steps() const { return stores_into_others() ? 1 : tiles_.steps(); }
  /// That an exchange alone sends in this step. Where kernels write straight into others' B, as
  /// many bytes as these have, less what fills no line of 128, from A into B.
  std::vector<Message> messages(std::int64_t step) const;
  /// Transposes a tile of A into the B of the rank whose rows these are.
  Job<T> job(const Tile& tile, int to) const;
  std::vector<Job<T>> jobs_of_all_ranks() const;
  /// Nothing after the last step.
  void pack(std::int64_t step) const;
  /// What the messages of a step have brought.
  void transpose_arrived(Variant variant, std::int64_t step) const;
  void run_all(Variant variant, const std::vector<Job<T>>& jobs) const;
  void iterate(Variant variant, LapClock& clock, Phases& parts) const;

  Exec exec_;
  std::unique_ptr<Carrier<Exec>> carrier_;  ///< of several ranks
  Distribution part_;
  int tile_;
  const Matrices<T>& matrices_;
  const Tiles<T>& tiles_;
  const Communicator& communicator_;
  std::vector<T*> b_of_ranks_;
};

/// Runs the variant on a matrix of one element elsewhere: what a library or a driver does at a
/// first call is then no part of the first iteration.
template <class T, class Exec>
void warm_up(const Exec& exec, Variant variant, int tile);

}  // namespace memstencil::transpose
