// Points of a grid code's result that are evaluated on the host, each over its cone of dependence.
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

/// Points that are updated for the values at `target` after `sweeps` sweeps: its time depends on
/// them.
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
