// Bandwidths that cannot be: more than the memory or the link of the machine's description gives.
#include "app/compare/plausibility.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace memstencil::compare {

namespace {

/// The worst entry of a side, and how many are too fast.
struct TooFast {
  const Entry* worst = nullptr;
  double ratio = 1 + above_theory_allowed;
  std::size_t count = 0;
};

TooFast too_fast(const Side& side) {
  TooFast found;
  for (const Entry& entry : side.entries) {
    const auto theory = side.theory(entry);
    const std::string sweep = text_of(entry.identity, "sweep");
    // Fused sweeps read an array once for several sweeps: more than the
    // theory of one is their point.
    const bool fused = !sweep.empty() && sweep != "single";
    if (!theory || !entry.bandwidth || fused) continue;
    const double ratio = *entry.bandwidth / *theory;
    if (ratio > 1 + above_theory_allowed) ++found.count;
    if (ratio <= found.ratio) continue;
    found.ratio = ratio;
    found.worst = &entry;
  }
  return found;
}

}  // namespace

std::vector<std::string> above_theory(const std::vector<Side>& sides) {
  std::vector<std::string> lines;
  for (const Side& side : sides) {
    const auto [worst, ratio, count] = too_fast(side);
    if (worst == nullptr) continue;
    lines.push_back(fmt::format(
        "{}: {}: {:.0f} GB/s are {:.2f} times the theory of {} ({} of its results are more than "
        "{:.0f} % above it): arrays that fit a cache, or the description of another machine",
        side.label, full_label(*worst), *worst->bandwidth, ratio, side.description->name, count,
        100 * above_theory_allowed));
  }
  return lines;
}

}  // namespace memstencil::compare
