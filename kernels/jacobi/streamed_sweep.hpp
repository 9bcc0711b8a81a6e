// Streamed sweeps of arrays that lie behind a link: planes pass once through a ring in the device's
// memory, and all sweeps of a pass are made there.
#pragma once

#include "kernels/jacobi/stream_schedule.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <Kokkos_Core.hpp>

#include <memory>

namespace memstencil::jacobi {

#if defined(KOKKOS_ENABLE_CUDA)
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
