// Samples of all arrays around some points, for verification.
#pragma once

#include "kernels/jacobi/arrays.hpp"

#include <cstdint>

namespace memstencil::jacobi {

/// For each of `count` centres (i, j, k triples in `centres`) the cube of
/// side 2*radius + 1 around it out of every array, and `result` at the centre:
/// cubes[((n * array_count) + array) * side^3 + offset], 0 where the cube leaves the local arrays.
/// All pointers must be good for `exec`. Fences.
template <class Exec>
void gather(const Exec& exec, const Grid& grid, const Coefficients& coefficients, const float* p,
            const float* result, const std::int64_t* centres, int count, int radius, float* cubes,
            float* results);

}  // namespace memstencil::jacobi
