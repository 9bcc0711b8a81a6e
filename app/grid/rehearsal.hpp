// The number of sweeps that fill --seconds, from the times of the sweeps of a rehearsal.
#pragma once

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
  std::int64_t next() const;
  /// Adds a part. @param first seconds of its first pass, which `seconds` include
  void add(std::int64_t sweeps, double first, double seconds);

  /// The number that fills the time, from all parts until now: at least a pass, because single
  /// sweeps are never reported as fused ones.
  std::int64_t sweeps() const;

private:
  double mean() const;

  double wanted_;
  std::int64_t fused_, most_;
  std::int64_t made_ = 0, counted_ = 0;
  double seconds_ = 0;  ///< of those that are counted
};

}  // namespace memstencil
