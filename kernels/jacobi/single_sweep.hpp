// The portable single sweep: one Kokkos kernel for every space and executor.
#pragma once

#include "kernels/jacobi/sweep.hpp"

#include <memory>
#include <vector>

namespace memstencil::jacobi {

/// What one team of a device works on: k x j points in a plane, marched over `planes` planes along i.
struct Tile {
  int k = 64;
  int j = 4;
  int planes = 64;
};

/// Tiles worth trying on a device (himeno --tune); the first is the default. k is a power of two and
/// a multiple of a warp, k * j the number of threads.
inline const std::vector<Tile> single_tiles{{64, 4, 64}, {128, 2, 64}, {32, 8, 64}, {256, 1, 64},
                                            {64, 4, 16}, {128, 2, 16}, {64, 4, 8},  {64, 4, 4},
                                            {64, 4, 2},  {64, 4, 1},   {128, 2, 1}, {256, 1, 1}};

/// @tparam Exec Kokkos execution space: the default one or the default host one
template <class Exec>
std::unique_ptr<Sweep> make_single_sweep(const Grid& grid, const Tile& tile = single_tiles.front());

}  // namespace memstencil::jacobi
