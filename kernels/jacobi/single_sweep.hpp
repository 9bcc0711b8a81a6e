// The portable single sweep: one Kokkos kernel for every space and executor.
#pragma once

#include "kernels/jacobi/sweep.hpp"

#include <memory>
#include <string>
#include <vector>

namespace memstencil::jacobi {

/// What one team of a device works on: k x j points in a plane, marched over `planes` planes along i.
struct Tile {
  int k = 128;  ///< a power of two, and a multiple of a warp
  int j = 2;
  int planes = 16;
};

/// "128x1x32": k x j x planes.
std::string tile_text(const Tile& tile);

/// Tiles worth trying on a device (himeno --tune). The first is the default: long marches, but short
/// enough that the grid makes tiles for all multiprocessors.
std::vector<Tile> single_tiles(const Grid& grid);

/// @tparam Exec Kokkos execution space: the default one or the default host one
template <class Exec>
std::unique_ptr<Sweep> make_single_sweep(const Grid& grid, const Tile& tile);

}  // namespace memstencil::jacobi
