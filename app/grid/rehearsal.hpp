// The number of sweeps that fill --seconds, from the times of the sweeps of a rehearsal.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace memstencil {

/// Sweeps are made in parts until there are three of them and a tenth of the time is over. Their
/// mean, not their shortest, stands for all: the shortest is that of a moment without other load.
/// The first pass may move pages: it counts only if it alone takes all of the time.
class Rehearsal {
public:
  /// @param fused sweeps of a pass
  /// @param most sweeps that a run may make
  Rehearsal(double seconds, std::int64_t fused, std::int64_t most)
      : wanted_(seconds), fused_(fused), most_(most) {}

  /// Sweeps to be made next, in whole passes; 0: enough are made.
  std::int64_t next() const {
    constexpr std::int64_t fewest = 3;
    constexpr double part_of_time = 0.1;
    // Of a part over those before it, at most: the first ones may be far from the mean.
    constexpr std::int64_t growth = 4;
    if (made_ == 0) return whole(fewest);
    if (counted_ == made_ && seconds_ < wanted_) return fused_;  // one that moves no pages
    const double whole_run = std::min(wanted_, static_cast<double>(most_) * mean());
    const double left = part_of_time * whole_run - seconds_;
    if (left <= 0) return 0;
    const double most = static_cast<double>(growth * made_);
    return whole(static_cast<std::int64_t>(std::min(std::ceil(left / mean()), most)));
  }

  /// Adds a part. @param first seconds of its first pass, which `seconds` include
  void add(std::int64_t sweeps, double first, double seconds) {
    if (counted_ == made_) counted_ = 0, seconds_ = 0;  // the first pass was alone until now
    made_ += sweeps;
    if (made_ == sweeps && sweeps > fused_) sweeps -= fused_, seconds -= first;
    counted_ += sweeps;
    seconds_ += seconds;
  }

  /// The number that fills the time, from all parts until now: at least a pass, because single
  /// sweeps are never reported as fused ones.
  std::int64_t sweeps() const {
    const double wanted = std::min(wanted_ / mean(), static_cast<double>(most_));
    return std::max(static_cast<std::int64_t>(wanted), fused_);
  }

private:
  double mean() const { return std::max(seconds_ / static_cast<double>(counted_), 1e-9); }
  std::int64_t whole(std::int64_t sweeps) const { return (sweeps + fused_ - 1) / fused_ * fused_; }

  double wanted_;
  std::int64_t fused_, most_;
  std::int64_t made_ = 0, counted_ = 0;
  double seconds_ = 0;  ///< of those that are counted
};

}  // namespace memstencil
