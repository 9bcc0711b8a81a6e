// The busy time of a GPU's multiprocessors, from each warp's readings of its multiprocessor's
// clock.
#pragma once

#include <cstdint>
#include <span>

namespace memstencil::membench {

/// A warp's record of a timed region: begin and end in cycles of its multiprocessor's clock, which
/// all warps of a multiprocessor share and no two multiprocessors do.
struct WarpTimes {
  std::int64_t begin = 0, end = 0;
  std::int64_t sm = 0;  ///< which multiprocessor the warp ran on
};

/// Cycles from the begin of a multiprocessor's first warp to the end of its last
/// ([hiroshima-shared-memory]: begin = min, end = max).
struct SmCycles {
  double median = 0;   ///< over the multiprocessors
  double longest = 0;  ///< the slowest
  int left_out = 0;    ///< multiprocessors that got another number of warps than `warps`: their
                       ///< cycles mean something else
};

/// @throws Failure(Machine) where no multiprocessor had so many
SmCycles sm_cycles(std::span<const WarpTimes> times, int warps);

}  // namespace memstencil::membench
