// What a warp leaves of a timed region: its begin and its end by the clock of its SM.
#pragma once

#include <cstdint>

namespace memstencil::probes {

/// In cycles of the SM's own clock, which all warps of an SM share and no two SMs do.
struct WarpTimes {
  std::int64_t begin = 0, end = 0;
  std::int64_t sm = 0;  ///< which SM the warp ran on
};

}  // namespace memstencil::probes
