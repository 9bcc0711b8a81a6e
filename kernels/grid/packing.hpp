// Copying boxes of points out of an array of a grid and back, for halos.
#pragma once

#include "kernels/grid/grid.hpp"

namespace memstencil {

/// Copies the points of `box` into `packed` (box.points() floats, k
/// fastest). Asynchronous on a device.
template <class Exec>
void pack(const Exec& exec, const Grid& grid, const Box& box, const float* data, float* packed);

/// The reverse of pack.
template <class Exec>
void unpack(const Exec& exec, const Grid& grid, const Box& box, const float* packed, float* data);

}  // namespace memstencil
