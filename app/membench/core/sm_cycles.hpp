// How long the multiprocessors were busy, from what each warp read of its multiprocessor's clock.
#pragma once

#include "kernels/probes/sm_clock.hpp"

#include <span>

namespace memstencil::membench {

/// Cycles from the begin of an SM's first warp to the end of its last (paper 000: begin = min, end = max).
struct SmCycles {
  double median = 0;   ///< over the SMs
  double longest = 0;  ///< the slowest SM
};

/// SMs that had another number of warps than `warps` are left out: their cycles mean something else.
/// @throws Failure(Machine) where no SM had so many
SmCycles sm_cycles(std::span<const probes::WarpTimes> times, int warps);

}  // namespace memstencil::membench
