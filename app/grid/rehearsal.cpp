// The number of sweeps that fill --seconds, from the times of the sweeps of a rehearsal.
#include "app/grid/rehearsal.hpp"

#include <algorithm>
#include <cmath>

namespace memstencil {

namespace {

constexpr std::int64_t fewest = 3;
constexpr double part_of_time = 0.1;
/// Sweeps of a part over those before it, at most: the first ones may be far from the mean.
constexpr std::int64_t growth = 4;

}  // namespace

double Rehearsal::mean() const { return std::max(seconds_ / static_cast<double>(counted_), 1e-9); }

std::int64_t Rehearsal::next() const {
  const auto whole = [this](std::int64_t sweeps) {
    return (sweeps + fused_ - 1) / fused_ * fused_;
  };
  if (made_ == 0) return whole(fewest);
  if (counted_ == made_ && seconds_ < wanted_) return fused_;  // one that moves no pages
  const double whole_run = std::min(wanted_, static_cast<double>(most_) * mean());
  const double left = part_of_time * whole_run - seconds_;
  if (left <= 0) return 0;
  const double most = static_cast<double>(growth * made_);
  return whole(static_cast<std::int64_t>(std::min(std::ceil(left / mean()), most)));
}

void Rehearsal::add(std::int64_t sweeps, double first, double seconds) {
  if (counted_ == made_) counted_ = 0, seconds_ = 0;  // the first pass was alone until now
  made_ += sweeps;
  if (made_ == sweeps && sweeps > fused_) sweeps -= fused_, seconds -= first;
  counted_ += sweeps;
  seconds_ += seconds;
}

std::int64_t Rehearsal::sweeps() const {
  const double wanted = std::min(wanted_ / mean(), static_cast<double>(most_));
  return std::max(static_cast<std::int64_t>(wanted), fused_);
}

}  // namespace memstencil
