// Points of a grid code's result evaluated on the host over their cone of dependence, and which
// points these are.
#pragma once

#include "app/grid/subdomain.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memstencil {

inline Box whole_grid(const Triple& global) {
  return {{0, 0, 0}, {global[0], global[1], global[2]}};
}
/// The points that change.
inline Box inside(const Triple& global) {
  return {{1, 1, 1}, {global[0] - 1, global[1] - 1, global[2] - 1}};
}

/// The points of a box in one piece, k fastest.
class Block {
public:
  explicit Block(const Box& box)
      : box_(box), k_(box.hi[2] - box.lo[2]), jk_(k_ * (box.hi[1] - box.lo[1])) {}
  const Box& box() const { return box_; }
  std::ptrdiff_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (i - box_.lo[0]) * jk_ + (j - box_.lo[1]) * k_ + k - box_.lo[2];
  }
  std::ptrdiff_t step_i() const { return jk_; }
  std::ptrdiff_t step_j() const { return k_; }
  /// value(i, j, k) of all points.
  template <class Value>
  auto values(const Value& value) const {
    std::vector<decltype(value(0, 0, 0))> out;
    out.reserve(static_cast<std::size_t>(box_.points()));
    for (std::int64_t i = box_.lo[0]; i < box_.hi[0]; ++i)
      for (std::int64_t j = box_.lo[1]; j < box_.hi[1]; ++j)
        for (std::int64_t k = box_.lo[2]; k < box_.hi[2]; ++k) out.push_back(value(i, j, k));
    return out;
  }

private:
  Box box_;
  std::ptrdiff_t k_, jk_;
};

/// The values after `sweeps` sweeps at the points of `target` (global indices, k fastest).
/// @param start (block): their values before at all points of a block
/// @param rows (block) gives update_row(n, count, from, to): a sweep over the `count` points of a
///        row from number n of the block on
template <class Start, class Rows>
auto evaluate_cone(const Triple& global, const Box& target, int sweeps, const Start& start,
                   const Rows& rows) {
  const Block block(grown(target, sweeps, whole_grid(global)));
  const auto update_row = rows(block);
  auto now = start(block), next = now;
  for (int left = sweeps - 1; left >= 0; --left) {
    const Box part = grown(target, left, inside(global));
    for (std::int64_t i = part.lo[0]; i < part.hi[0]; ++i)
      for (std::int64_t j = part.lo[1]; j < part.hi[1]; ++j)
        update_row(block.at(i, j, part.lo[2]), part.hi[2] - part.lo[2], now.data(), next.data());
    now.swap(next);
  }
  return Block(target).values(
      [&](auto i, auto j, auto k) { return now[static_cast<std::size_t>(block.at(i, j, k))]; });
}

/// Points that are updated for that: its time depends on them.
inline std::int64_t updates(const Triple& global, const Box& target, int sweeps) {
  std::int64_t sum = 0;
  for (int left = 0; left < sweeps; ++left) sum += grown(target, left, inside(global)).points();
  return sum;
}

/// Points whose values are kept for that.
inline std::int64_t kept_points(const Triple& global, const Box& target, int sweeps) {
  return grown(target, sweeps, whole_grid(global)).points();
}

/// Are all owned points of a rank evaluated after `sweeps` sweeps in less than about half a second?
bool evaluated_quickly(const Subdomain& subdomain, std::int64_t sweeps);

/// The points of a rank that are compared after the time loop, where faults of it would stand, as
/// boxes of local indices: all owned points if their evaluation is quick, otherwise small boxes
/// at corners, edges, faces, and about a thousand at random places, half of them at faces that have
/// a neighbour. There is at least one of each kind, and more as long as few points
/// have to be evaluated. The same in every run.
std::vector<Box> patches(const Subdomain& subdomain, int sweeps);

/// Points whose values are kept at once for that, at most.
double most_kept_points(const Triple& global, int sweeps);

}  // namespace memstencil
