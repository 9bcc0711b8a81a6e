// Fused sweeps over one tile by one host thread: the order of rows that keeps coefficients in cache.
#pragma once

#include "kernels/jacobi/host_rows.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memstencil::jacobi {

/// Floats of scratch that march_tile() needs for a tile of `rows` rows (owned extent in j).
std::size_t ring_floats(const Grid& grid, int sweeps, std::int64_t rows);

/// Makes `sweeps` fused sweeps of `pass` over `tile`, a part of the owned points that spans all of
/// their k: p_next of the tile gets the last sweep's values, and residuals[s] (double, added to) the
/// sum of squared residuals of sweep s + 1 over the tile. Nothing is shared with other tiles: what
/// they overlap of earlier sweeps is computed again by each.
/// @param rings scratch of ring_floats() floats, aligned to 64 bytes; its contents do not matter
/// @param stores how the last sweep's values leave
void march_tile(const Pass& pass, int sweeps, const Box& tile, float* rings, double* residuals,
                Stores stores);

}  // namespace memstencil::jacobi
