// The two clocks of the probes on a GPU: events around a launch, and the SM's own within it.
#pragma once

#include <cstdint>
#include <functional>

namespace memstencil::probes {

/// Seconds between an event before and an event after what `work` puts into the default
/// stream (or into streams that wait for it and that it waits for). Waits for the end. The
/// events' clock ticks in 0.5 us.
/// @throws CudaError where the work or the timer failed
double seconds_of(const std::function<void()>& work);

/// A warp's record of a timed region: begin and end in cycles of its SM's clock, which all warps of
/// an SM share and no two SMs do.
struct WarpTimes {
  std::int64_t begin = 0, end = 0;
  std::int64_t sm = 0;  ///< which SM the warp ran on
};

}  // namespace memstencil::probes
