// The time of work on a GPU, by events around it.
#pragma once

#include <functional>

namespace memstencil::probes {

/// Seconds between an event before and an event after what `work` puts into the default stream (or into
/// streams that wait for it and that it waits for). Waits for the end. The events' clock ticks in 0.5 us.
/// @throws CudaError where the work or the timer failed
double seconds_of(const std::function<void()>& work);

}  // namespace memstencil::probes
