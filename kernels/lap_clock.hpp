// The times of the laps of a loop of asynchronous kernels, without a fence between them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace memstencil {

/// start(), then a lap() after one or more passes are submitted. Laps join up: their sum is the
/// time from start() to the end of the last one, gaps included. (A host clock would need a fence a
/// pass, and small grids would then measure the fence.)
class LapClock {
public:
  virtual ~LapClock() = default;
  virtual void start() = 0;
  virtual void lap() = 0;
  /// Seconds of the laps since start() that are known to have ended, without a wait.
  virtual const std::vector<double>& known() = 0;
  /// Waits for the last lap. Seconds of each lap since the clock was made,
  /// or since the last finish(). A lap throws as elapsed().
  virtual std::vector<double> finish() = 0;
};

/// Times the kernels of this instance: on a device by events in its stream, on the host by the
/// steady clock after a fence.
/// @param look is called again and again while the clock waits for a device: it may throw if
///        the lap will never end.
template <class Exec>
std::unique_ptr<LapClock> make_lap_clock(const Exec& exec, const std::function<void()>& look = {});

}  // namespace memstencil
