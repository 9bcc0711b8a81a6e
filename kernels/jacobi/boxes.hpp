// Copying boxes of points out of the arrays and back: halos, and samples for verification.
#pragma once

#include "kernels/jacobi/grid.hpp"

#include <cstdint>

namespace memstencil::jacobi {

/// Copies the points of `box` into `packed` (box.points() floats, k
/// fastest). Asynchronous on a device.
template <class Exec>
void pack(const Exec& exec, const Grid& grid, const Box& box, const float* data, float* packed);

/// The reverse of pack.
template <class Exec>
void unpack(const Exec& exec, const Grid& grid, const Box& box, const float* packed, float* data);

/// Samples for verification: for each of `count` centres (i, j, k triples in `centres`) the cube of
/// side 2*radius + 1 around it out of every array, and `result` at the centre:
/// cubes[((n * array_count) + array) * side^3 + offset], 0 where the cube leaves the local arrays.
/// All pointers must be good for `exec`. Fences.
template <class Exec>
void gather(const Exec& exec, const Grid& grid, const Coefficients& coefficients, const float* p,
            const float* result, const std::int64_t* centres, int count, int radius, float* cubes,
            float* results);

}  // namespace memstencil::jacobi
