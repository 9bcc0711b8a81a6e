// The busy time of a GPU's multiprocessors, from each warp's readings of its multiprocessor's
// clock.
#include "app/membench/core/sm_cycles.hpp"

#include "app/membench/core/probe.hpp"

#include <algorithm>
#include <limits>

namespace memstencil::membench {

SmCycles sm_cycles(std::span<const WarpTimes> times, int warps) {
  struct Busy {
    std::int64_t begin = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    int warps = 0;
  };
  std::map<std::int64_t, Busy> busy;
  for (const WarpTimes& warp : times) {
    Busy& sm = busy[warp.sm];
    sm.begin = std::min(sm.begin, warp.begin);
    sm.end = std::max(sm.end, warp.end);
    ++sm.warps;
  }
  SmCycles out;
  std::vector<double> cycles;
  for (const auto& [number, sm] : busy)
    if (sm.warps == warps)
      cycles.push_back(static_cast<double>(sm.end - sm.begin));
    else
      ++out.left_out;
  if (cycles.empty())
    throw Failure(ExitCode::Machine,
                  "no multiprocessor got the " + std::to_string(warps) +
                      " warps that were meant for it; run it while no other program uses the GPU");
  out.median = median(cycles);
  out.longest = *std::max_element(cycles.begin(), cycles.end());
  return out;
}

}  // namespace memstencil::membench
