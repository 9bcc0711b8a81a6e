// The single sweep of a GPU: tiles of one plane, or of some through which threads march.
#pragma once

#include "kernels/grid/tiling.hpp"
#include "kernels/jacobi/arrays.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>

namespace memstencil::jacobi {

/// Tiles of a GPU (himeno --sweep auto tries them). The first is the default, or the second, which
/// brings a plane of p once: behind a link, and if plane_tiles_pay() says no. The third wins in
/// compressible memory (docs/lab/placement-behind-pcie.md).
inline constexpr std::array<Tile, 3> single_tiles{{{128, 4, 1}, {128, 2, 8}, {128, 1, 8}}};
/// A thread for each point.
inline constexpr Tile plane_tile = single_tiles[0];

struct SingleWork {
  Pass pass;
  Tiling tiling;  ///< of the points to update, by one of single_tiles
  Box counted;    ///< of the points whose residuals are summed
  double* sums;   ///< by the tiles' numbers; in a ring (Pass) they are added to the values there
};

#if defined(KOKKOS_ENABLE_CUDA)
/// Whether tiles of one plane update this many points faster than tiles that march: on an H100
/// always, on an H200, whose memory is faster, if the grid is small (docs/lab/gpu-sweeps.md).
bool plane_tiles_pay(std::int64_t points);

/// Starts the sweep. In a ring: of plane_tile.
/// @throws std::runtime_error if a launch fails
void sweep_tiles(const Kokkos::Cuda& exec, const SingleWork& work);
#endif

}  // namespace memstencil::jacobi
