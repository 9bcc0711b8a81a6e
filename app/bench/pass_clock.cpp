// The times of the passes of a run, where a clock at each of them would slow down short ones.
#include "app/bench/pass_clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace memstencil {

namespace {

/// Of the passes that are timed together.
constexpr double least_seconds = 1e-3;
/// From the second to this one passes tell how long they are; the first may move pages.
constexpr std::size_t passes_that_tell = 4;

}  // namespace

PassClock::PassClock(std::unique_ptr<LapClock> clock, bool halo, std::int64_t most_together)
    : clock_(std::move(clock)), halo_(halo), most_together_(most_together) {}

void PassClock::reserve(std::int64_t sweeps) {
  groups_.reserve(static_cast<std::size_t>(sweeps));
  sweep_seconds_.reserve(static_cast<std::size_t>(sweeps));
  if (halo_) halo_seconds_.reserve(static_cast<std::size_t>(sweeps));
}

std::int64_t PassClock::together() {
  if (together_ > 0 || most_together_ == 1) return std::max<std::int64_t>(together_, 1);
  const std::vector<double>& laps = clock_->known();
  const std::size_t of_pass = halo_ ? 2 : 1;
  if (laps.size() < passes_that_tell * of_pass) return 1;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t pass = 1; pass < passes_that_tell; ++pass) {
    double seconds = 0.0;
    for (std::size_t n = 0; n < of_pass; ++n) seconds += laps[pass * of_pass + n];
    shortest = std::min(shortest, seconds);
  }
  const double wanted = std::ceil(least_seconds / std::max(shortest, 1e-9));
  together_ = std::clamp(static_cast<std::int64_t>(wanted), std::int64_t{1}, most_together_);
  return together_;
}

void PassClock::begin(int sweeps, bool last) {
  group_.sweeps = sweeps;
  timed_ = last || group_.before + 1 >= together();
  if (timed_ && halo_ && group_.before > 0) clock_->lap();
}

void PassClock::swept() {
  if (timed_) clock_->lap();
}

void PassClock::end() {
  if (!timed_) {
    ++group_.before;
    return;
  }
  clock_->lap();
  groups_.push_back(std::exchange(group_, {}));
}

void PassClock::add(std::int64_t passes, int sweeps, double swept, double waited) {
  const auto add_equal_parts = [](std::vector<double>& times, std::int64_t count, double seconds) {
    times.insert(times.end(), static_cast<std::size_t>(count),
                 seconds / static_cast<double>(count));
  };
  if (passes == 0) return;
  times_.sweeps += swept;
  times_.halo += waited;
  add_equal_parts(sweep_seconds_, passes * sweeps, swept);
  if (halo_) add_equal_parts(halo_seconds_, passes, waited);
}

/// The times of a group, from its laps on, which are then passed.
void PassClock::add(const Group& group, const double*& laps) {
  if (!halo_) return add(group.before + 1, group.sweeps, *laps++, 0.0);
  const double before = group.before > 0 ? *laps++ : 0.0;
  const double swept = *laps++, waited = *laps++;
  const double sweeps = swept + waited > 0.0 ? swept / (swept + waited) : 1.0;
  add(group.before, group.sweeps, before * sweeps, before * (1.0 - sweeps));
  add(1, group.sweeps, swept, waited);
}

SweepTimes PassClock::finish() {
  if (halo_) clock_->lap();
  const std::vector<double> laps = clock_->finish();
  const double* next = laps.data();
  times_.measured += groups_.size();
  for (const Group& each : std::exchange(groups_, {})) add(each, next);
  if (!halo_ || halo_seconds_.empty()) return times_;
  times_.halo += laps.back();
  halo_seconds_.back() += laps.back();
  return times_;
}

}  // namespace memstencil
