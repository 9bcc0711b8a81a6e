// Boxes of points: copied out of an array and back, and made NaN, hashed, compared or subtracted by
// checks.
#pragma once

#include "kernels/grid/grid.hpp"

#include <cstdint>
#include <optional>

namespace memstencil {

/// Copies the points of `box` into `packed` (box.points() values, k
/// fastest). Asynchronous on a device.
template <class Exec, class Value>
void pack(const Exec& exec, const Grid& grid, const Box& box, const Value* data, Value* packed);

/// The reverse of pack.
template <class Exec, class Value>
void unpack(const Exec& exec, const Grid& grid, const Box& box, const Value* packed, Value* data);

/// Makes p NaN at the points of `box`: what nothing writes then is found. Fences.
template <class Exec, class Value>
void spoil(const Exec& exec, const Grid& grid, const Box& box, Value* p);

/// A hash of the bits of every value of `box` and of its place there. Two boxes of the same shape
/// that lie anywhere have the same hash if they hold the same bits. Waits for it.
template <class Exec, class Value>
std::uint64_t hash(const Exec& exec, const Grid& grid, const Box& box, const Value* data);

/// The first point of `box` (its number there, k fastest) where two arrays have not the same bits,
/// or nothing. Waits for it.
template <class Exec, class Value>
std::optional<std::int64_t> first_difference(const Exec& exec, const Grid& grid, const Box& box,
                                             const Value* a, const Value* b);

/// Sums over the points of a box.
struct Change {
  double squares;   ///< of (after - before) / step
  double rounding;  ///< squares of what the rounding of before + step * x may change of such an x
};
/// Waits for it.
template <class Exec, class Value>
Change change(const Exec& exec, const Grid& grid, const Box& box, const Value* before,
              const Value* after, Value step);

}  // namespace memstencil
