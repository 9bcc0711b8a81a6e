// The busy time of a GPU's multiprocessors, from each warp's readings of
// its multiprocessor's clock.
#include "app/membench/core/gpu.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

namespace memstencil::membench {

namespace {

struct Busy {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  int warps = 0;
};

}  // namespace

SmCycles sm_cycles(std::span<const probes::WarpTimes> times, int warps) {
  std::map<std::int64_t, Busy> busy;
  for (const probes::WarpTimes& warp : times) {
    Busy& sm = busy[warp.sm];
    sm.begin = std::min(sm.begin, warp.begin);
    sm.end = std::max(sm.end, warp.end);
    ++sm.warps;
  }
  std::vector<double> cycles;
  for (const auto& [number, sm] : busy)
    if (sm.warps == warps) cycles.push_back(static_cast<double>(sm.end - sm.begin));
  if (cycles.empty())
    throw Failure(
        ExitCode::Machine,
        fmt::format("no multiprocessor got the {} warps that were meant for it; run it while no "
                    "other program uses the GPU",
                    warps));
  const Statistics s = statistics(cycles);
  return {.median = s.median, .longest = s.maximum};
}

}  // namespace memstencil::membench
