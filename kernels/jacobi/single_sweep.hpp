// The portable single sweep: one Kokkos kernel for every space and executor.
#pragma once

#include "kernels/jacobi/sweep.hpp"

#include <array>
#include <memory>
#include <string>

namespace memstencil::jacobi {

/// What one team of a device works on: k x j points in a plane, marched over `planes` planes along i.
struct Tile {
  int k;  ///< a power of two, and a multiple of a warp
  int j;
  int planes;
};

/// "128x2x8": k x j x planes.
std::string tile_text(const Tile& tile);

/// Tiles worth trying on a device (himeno --tune). The first is the default.
inline constexpr std::array<Tile, 8> single_tiles{{{128, 2, 8},
                                                   {256, 1, 8},
                                                   {64, 4, 8},
                                                   {128, 1, 8},
                                                   {128, 2, 4},
                                                   {128, 2, 16},
                                                   {128, 2, 32},
                                                   {64, 4, 64}}};

/// @tparam Exec Kokkos execution space: the default one or the default host one
template <class Exec>
std::unique_ptr<Sweep> make_single_sweep(const Grid& grid, const Tile& tile);

}  // namespace memstencil::jacobi
