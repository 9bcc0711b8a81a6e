// The schedule of streamed sweeps: which planes arrive, are swept and leave in each step, where
// they lie in the ring, and what waits for what. Plain data, so that a test can walk through it.
#pragma once

#include "kernels/grid/grid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace memstencil::jacobi {

/// Planes [from, to).
struct PlaneSpan {
  std::int64_t from, to;

  std::int64_t count() const { return std::max<std::int64_t>(to - from, 0); }
  bool empty() const { return to <= from; }
  PlaneSpan within(std::int64_t low, std::int64_t high) const {
    return {std::max(from, low), std::min(to, high)};
  }
};

/// Sizes of the groups that make `sweeps` sweeps, each by one kernel: `fused` sweeps, and a smaller
/// one first if these do not divide them. None may be larger than the next: the next writes
/// where its input was, of which a larger one would still need some planes.
inline std::vector<int> stream_groups(int sweeps, int fused) {
  std::vector<int> out;
  if (sweeps % fused > 0) out.push_back(sweeps % fused);
  out.insert(out.end(), static_cast<std::size_t>(sweeps / fused), fused);
  return out;
}

struct StreamStep {
  std::int64_t number;            ///< of all passes, from 1 on
  PlaneSpan arrives;              ///< they come from the host
  std::int64_t after;             ///< the step whose planes must have left before; 0: none
  std::vector<PlaneSpan> swept;   ///< by each group, in this order, when `arrives` are here
  std::vector<PlaneSpan> wanted;  ///< the same if the grid had no ends
  PlaneSpan leaves;               ///< to the host, when all groups are done
};

/// In a step some planes arrive, and then each group sweeps as many. It is behind the group before
/// by as many planes as it makes sweeps: its input is ready, and nothing is made twice. The planes
/// of the next pass follow those of this one in the ring. A plane has two places for p: groups
/// write them in turns.
class StreamSchedule {
public:
  /// @param sweeps of a pass at most
  /// @param fused sweeps of a group at most
  /// @param step planes that arrive in a step
  StreamSchedule(const Grid& grid, int sweeps, int fused, std::int64_t step)
      : planes_(grid.extents[0]),
        interior_{grid.interior.lo[0], grid.interior.hi[0]},
        owned_{grid.owned.lo[0], grid.owned.hi[0]},
        step_(std::min(step, planes_)),
        free_(static_cast<std::size_t>(ring_planes(sweeps, fused, step_))),
        left_(static_cast<std::size_t>(planes_)) {}

  /// Planes of the ring: those that a step works on, `step` that arrive and `step` that leave.
  static std::int64_t ring_planes(int sweeps, int fused, std::int64_t step) {
    return sweeps + fused + 3 * step;
  }
  std::int64_t ring_planes() const { return static_cast<std::int64_t>(free_.size()); }
  std::int64_t step_planes() const { return step_; }
  /// Steps of a pass of `sweeps` sweeps; shorter ones have no more.
  int most_steps(int sweeps) const {
    const std::int64_t planes = std::max(owned_.to + sweeps, planes_);
    return static_cast<int>((planes + step_ - 1) / step_);
  }
  /// Where plane i of the pass lies in the ring.
  std::int64_t place(std::int64_t i) const {
    return ((first_ + i) % ring_planes() + ring_planes()) % ring_planes();
  }

  /// The next pass. Where plane i lies is place(i) until the pass after.
  /// @param groups their sweeps, none more than the next
  std::vector<StreamStep> pass(const std::vector<int>& groups) {
    first_ = place(passes_++ == 0 ? 0 : planes_);
    int sweeps = 0;
    for (const int size : groups) sweeps += size;
    std::vector<StreamStep> out(static_cast<std::size_t>(most_steps(sweeps)));
    std::int64_t freed = 0;
    for (std::size_t n = 0; n < out.size(); ++n) {
      const std::int64_t end = (static_cast<std::int64_t>(n) + 1) * step_;
      StreamStep& step = out[n];
      step.number = ++number_;
      step.arrives = PlaneSpan{end - step_, end}.within(0, planes_);
      step.after = 0;
      for (std::int64_t i = step.arrives.from; i < step.arrives.to; ++i)
        step.after = std::max({step.after, free_at(i), left_[static_cast<std::size_t>(i)]});
      int made = 0;
      for (const int size : groups) {
        made += size;
        // Other ranks' points are made here, too, as far as the sweeps that follow need them.
        const std::int64_t beyond = sweeps - made;
        step.wanted.push_back({end - step_ - made, end - made});
        step.swept.push_back(step.wanted.back()
                                 .within(owned_.from - beyond, owned_.to + beyond)
                                 .within(interior_.from, interior_.to));
      }
      step.leaves = PlaneSpan{end - step_ - sweeps, end - sweeps}.within(owned_.from, owned_.to);
      // The next step's last group reads from here on.
      const std::int64_t needed =
          n + 1 < out.size() ? std::min(end - sweeps - groups.back(), planes_) : planes_;
      for (; freed < needed; ++freed) free_at(freed) = number_;
      for (std::int64_t i = step.leaves.from; i < step.leaves.to; ++i)
        left_[static_cast<std::size_t>(i)] = number_;
    }
    return out;
  }

private:
  std::int64_t& free_at(std::int64_t i) { return free_[static_cast<std::size_t>(place(i))]; }

  std::int64_t planes_;
  PlaneSpan interior_, owned_;
  std::int64_t step_;
  std::vector<std::int64_t> free_;  ///< after which step a place may get another plane
  std::vector<std::int64_t> left_;  ///< after which step the host has a plane of the last pass
  std::int64_t first_ = 0;          ///< where plane 0 lies
  std::int64_t passes_ = 0, number_ = 0;
};

/// What a pass of streamed sweeps takes.
struct StreamShape {
  int fused;          ///< sweeps of a group at most
  std::int64_t step;  ///< planes that arrive at a time
  double bytes;       ///< of the ring: coefficients, and p twice
};

/// Points of other ranks that this one makes, too, in a pass of `sweeps` sweeps, over its own.
inline double points_made_twice(const Grid& grid, int sweeps) {
  double made = 0;
  for (int left = 0; left < sweeps; ++left)
    made += static_cast<double>(grown(grid.owned, left, grid.interior).points());
  return made / (sweeps * static_cast<double>(grid.owned.points())) - 1;
}

/// The shape with the largest steps whose ring takes no more than `bytes`; nothing if even the
/// smallest takes more. Kernels that fuse sweeps fill and drain their stages in each step: it has
/// more planes there.
inline std::optional<StreamShape> stream_shape(const Grid& grid, int sweeps, int fused,
                                               double bytes) {
  constexpr int arrays = 14;
  const double plane = static_cast<double>(arrays * sizeof(float)) *
                       static_cast<double>(grid.extents[1]) * static_cast<double>(grid.pitch);
  for (std::int64_t step = fused > 1 ? 64 : 16; step > 0; step /= 2) {
    const std::int64_t planes = std::min(step, grid.extents[0]);
    const double ring =
        plane * static_cast<double>(StreamSchedule::ring_planes(sweeps, fused, planes));
    if (ring <= bytes) return StreamShape{fused, planes, ring};
  }
  return std::nullopt;
}

}  // namespace memstencil::jacobi
