// How many sweeps fill the seconds that --seconds asks for: some that do not count tell it.
#pragma once

#include <cstdint>

namespace memstencil {

/// Sweeps are made in parts until three of them, and a tenth of the time, are done. Their mean
/// tells how long one lasts: the shortest would be that of a moment without other load. The first
/// pass may move pages, so that it counts only where it is alone: where it takes all of the time.
class Rehearsal {
public:
  /// @param fused sweeps of a pass
  Rehearsal(double seconds, std::int64_t fused) : wanted_(seconds), fused_(fused) {}

  /// Sweeps to be made next, in whole passes; 0 where enough are made.
  std::int64_t next() const;
  /// So many were made. @param first seconds of the first pass of them, a part of all seconds
  void add(std::int64_t sweeps, double first, double seconds);

  std::int64_t made() const { return made_; }
  /// Those that fill the time, as far as is known: at least a pass, because single sweeps are never
  /// reported as fused ones; at most as many as --iterations takes.
  std::int64_t sweeps() const;

private:
  double mean() const;

  double wanted_;
  std::int64_t fused_;
  std::int64_t made_ = 0, counted_ = 0;
  double seconds_ = 0;  ///< of those that are counted
};

}  // namespace memstencil
