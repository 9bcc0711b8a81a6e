// T Jacobi sweeps in one pass over the coefficients on one CUDA GPU: fused in its memory; or of
// arrays behind a link, whose planes pass once through a ring there (streamed).
#pragma once

#include "kernels/jacobi/stream_schedule.hpp"
#include "kernels/jacobi/sweep.hpp"
#include "kernels/jacobi/temporal_cuda_plan.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace memstencil::jacobi {

/// The reason why the current GPU cannot run temporal_tiles[tile] on `grid`; empty when it can.
std::string why_not_temporal_cuda(const Grid& grid, std::size_t tile);
/// cost_of_pass() on the current GPU.
double cost_of_temporal_cuda(const Grid& grid, std::size_t tile);

#if defined(KOKKOS_ENABLE_CUDA)
/// The sweep with temporal_tiles[tile], planned once. Rows of all arrays are 16-byte aligned. It
/// writes p_next in the owned points only, and the same bits every time. A Pass may own fewer
/// planes of i than `grid`, if all its points are one rank's, and its arrays may lie in a ring.
/// Throws std::runtime_error if a launch fails; ask why_not_temporal_cuda() first.
std::unique_ptr<Sweep<Kokkos::Cuda>> make_temporal_cuda(const Kokkos::Cuda& exec, const Grid& grid,
                                                        std::size_t tile,
                                                        EdgesFirst edges_first = EdgesFirst::No);

/// The most sweeps that a group can make on this grid: kernels that fuse sweeps need all its points
/// on one rank.
int stream_fuses(const Grid& grid);

/// Passes of up to `sweeps` sweeps. The arrays of a Pass are host memory that the device reaches;
/// p_next is complete behind the last pass of next(), or behind each if other ranks have neighbours
/// of its points.
std::unique_ptr<Sweep<Kokkos::Cuda>> make_streamed_sweep(const Kokkos::Cuda& exec, const Grid& grid,
                                                         int sweeps, const StreamShape& shape);
#endif

}  // namespace memstencil::jacobi
