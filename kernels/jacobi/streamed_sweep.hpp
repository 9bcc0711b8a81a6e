// Fused sweeps of arrays that lie behind a link: slabs of planes pass once through a window in the
// executor's own memory, and all sweeps of the pass are made there.
#pragma once

#include "kernels/jacobi/sweep.hpp"

#include <cstddef>
#include <memory>

namespace memstencil::jacobi {

/// A point crosses the link once a pass and not once a sweep, apart from the planes that
/// neighbouring slabs share (2 * sweeps a slab). While one slab is swept, the next arrives.
/// @tparam Exec the device's execution space; the arrays of a Pass are
///   host memory that it can reach
/// @param window_bytes device memory to use; no more than the grid needs is taken
/// @throws std::runtime_error where that is too little for one slab
template <class Exec>
std::unique_ptr<Sweep<Exec>> make_streamed_sweep(const Exec& exec, const Grid& grid, int sweeps,
                                                 std::size_t window_bytes);

/// Planes of a slab that the bytes allow; below 1 the window is too small.
std::int64_t streamed_planes(const Grid& grid, int sweeps, std::size_t window_bytes);

}  // namespace memstencil::jacobi
