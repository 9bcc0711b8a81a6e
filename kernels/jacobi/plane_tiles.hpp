// The single sweep's native twin for CUDA: tiles of one plane, a thread for each point.
#pragma once

#include "kernels/grid/tiling.hpp"
#include "kernels/jacobi/arrays.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace memstencil::jacobi {

/// Four rows of 128 points.
inline constexpr Tile plane_tile{128, 4, 1};

struct PlaneWork {
  Pass pass;
  Tiling tiling;  ///< of the points to update, by plane_tile
  Box counted;    ///< of the points whose residuals are summed
  double* sums;   ///< by the tiles' numbers; in a ring (Pass) they are added to the values there
};

#if defined(KOKKOS_ENABLE_CUDA)
/// Whether they update this many points faster than tiles that march along i: on an H100 always, on
/// an H200, whose memory is faster, if the grid is small (docs/lab/gpu-sweeps.md).
bool plane_tiles_pay(std::int64_t points);

/// Starts the sweep. @throws std::runtime_error if a launch fails
void sweep_planes(const Kokkos::Cuda& exec, const PlaneWork& work);
#endif

}  // namespace memstencil::jacobi
