// The single sweep of a GPU: tiles of one plane, or of some through which threads march.
#pragma once

#include "kernels/grid/tiling.hpp"
#include "kernels/jacobi/arrays.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>

namespace memstencil::jacobi {

/// Tiles of a GPU (himeno --sweep auto tries them). The first, which brings a plane of p once, is
/// the default, or the second if plane_tiles_pay() says so.
inline constexpr std::array<Tile, 2> single_tiles{{{128, 2, 8}, {128, 4, 1}}};
inline constexpr Tile marching_tile = single_tiles[0];
/// A thread for each point.
inline constexpr Tile plane_tile = single_tiles[1];

/// Whether tiles of one plane are faster than tiles that march (docs/lab/gpu-sweeps.md): on an H100
/// always, and on an H200 for small parts of a divided grid. There marching tiles, launched late
/// then, were the slower ones; none has been measured on several GPUs since.
/// @param bandwidth nominal, of the GPU's memory, in bytes a second: H100 3.35e12, H200 4.9e12
/// @param points of this rank
constexpr bool plane_tiles_pay(double bandwidth, std::int64_t points, bool one_rank) {
  return bandwidth < 4.1e12 || (!one_rank && points < 8'000'000);
}

struct SingleWork {
  Pass pass;
  Tiling tiling;  ///< of the points to update, by one of single_tiles
  Box counted;    ///< of the points whose residuals are summed
  double* sums;   ///< by the tiles' numbers; in a ring (Pass) they are added to the values there
};

#if defined(KOKKOS_ENABLE_CUDA)
/// Nominal bandwidth of the memory of this GPU, in bytes a second.
double memory_bandwidth();

/// Starts the sweep. In a ring: of plane_tile.
/// @throws std::runtime_error if a launch fails
void sweep_tiles(const Kokkos::Cuda& exec, const SingleWork& work);
#endif

}  // namespace memstencil::jacobi
