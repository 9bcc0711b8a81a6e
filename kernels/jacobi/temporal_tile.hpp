// Fused sweeps over one tile by one host thread: the order of rows that
// keeps coefficients in cache.
#pragma once

#include "kernels/jacobi/host_rows.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <cstddef>
#include <cstdint>

namespace memstencil::jacobi {

/// The division of owned points for fused sweeps. In k everything spans all owned points.
struct HostTile {
  std::int64_t planes;  ///< owned extent in i of what one thread marches through on its own
  std::int64_t rows;    ///< its extent in j; at its edges in i and j work is done twice
  std::int64_t
      strip;  ///< rows of it marched at a time, at least 2: their coefficients stay in cache
};

/// A cut that gives each of `threads` threads one tile if there are rows for all, and strips
/// that suit the caches of this machine.
HostTile host_tile(const Grid& grid, int sweeps, int threads);

/// Floats of scratch that march_tile() needs.
std::size_t scratch_floats(const Grid& grid, int sweeps, const HostTile& shape);

/// Makes `sweeps` fused sweeps of `pass` over `tile`, a part of the owned points that spans all of
/// their k and is no larger than `shape`: p_next of the tile gets the last sweep's values, and
/// residuals[s] the sum of squared residuals of sweep s + 1 over the tile.
/// Nothing is shared with other tiles: if they overlap in earlier sweeps, each does the work.
/// @param scratch scratch_floats() floats, aligned to 64 bytes; the contents do not matter
void march_tile(const Pass& pass, int sweeps, const Box& tile, const HostTile& shape,
                float* scratch, double* residuals);

}  // namespace memstencil::jacobi
