// The times of the passes of a run (of sweeps, or of a transpose), where a clock at each of them
// would slow down short ones.
#pragma once

#include "kernels/queue.hpp"
#include "memory_spaces/memory_space.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace memstencil {

/// Seconds of the sweeps, and of what they waited for their halo.
struct SweepTimes {
  double sweeps = 0, halo = 0;
  std::size_t measured = 0;  ///< times that were measured: one of passes that are timed together
};

/// Passes that a clock times together at most, where they are alone: a host waits for each.
constexpr std::int64_t passes_together(Executor executor) {
  return executor == Executor::Host ? 1 : 64;
}

/// A device stands still for about 2 us at each lap of its clock: 3 % of a pass of 70 us. So passes
/// shorter than a millisecond are timed several together, as soon as their time is known: each
/// counts with an equal part. If they wait for a halo, the last pass of these tells how the time
/// of all divides into sweeps and halo.
class PassClock {
public:
  /// @param halo do passes wait for messages?
  /// @param most_together passes that are timed together at most
  PassClock(std::unique_ptr<LapClock> clock, bool halo, std::int64_t most_together);

  /// Room for the times of `sweeps` sweeps.
  void reserve(std::int64_t sweeps);
  void start() {
    times_ = {};
    clock_->start();
  }
  /// A pass of `sweeps` sweeps begins.
  /// @param last will the next one be of another kind, or is there none?
  void begin(int sweeps, bool last);
  /// Its sweeps have been submitted, and what waits for the halo comes. Only with a halo.
  void swept();
  void end();
  /// Waits for the last pass; with a halo for all that was submitted, too. The times are those
  /// since start().
  SweepTimes finish();

  /// Seconds of each sweep so far.
  std::vector<double>& sweep_seconds() { return sweep_seconds_; }
  const std::vector<double>& sweep_seconds() const { return sweep_seconds_; }
  /// Seconds that each pass so far waited for its halo.
  const std::vector<double>& halo_seconds() const { return halo_seconds_; }

private:
  /// A pass with a clock of its own, and those before it without.
  struct Group {
    int before = 0;
    int sweeps = 1;  ///< of each pass
  };
  std::int64_t together();
  void add(const Group& group, const double*& laps);
  void add(std::int64_t passes, int sweeps, double swept, double waited);

  std::unique_ptr<LapClock> clock_;
  bool halo_;
  std::int64_t most_together_;
  std::int64_t together_ = 0;  ///< 0: not known yet
  Group group_;                ///< that has begun
  bool timed_ = true;          ///< has the pass that has begun a clock?
  std::vector<Group> groups_;
  SweepTimes times_;  ///< since start()
  std::vector<double> sweep_seconds_, halo_seconds_;
};

}  // namespace memstencil
