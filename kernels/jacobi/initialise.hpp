// Filling the arrays: the original's standard values, or random coefficients around them.
#pragma once

#include "kernels/jacobi/arrays.hpp"

#include <cstdint>
#include <optional>

namespace memstencil::jacobi {

/// A rank's place in the whole grid, and the values that fill its arrays.
struct Filling {
  std::int64_t global[3];  ///< extents I, J, K of the whole grid
  std::int64_t origin[3];  ///< global index of the local point (0, 0, 0)
  std::optional<std::uint64_t>
      seed;  ///< random coefficients of this seed; nothing: standard values
};

/// Writes every element of `data` (whole rows, the pad with zeros): a kernel of `exec`, which so
/// touches the pages first. Standard values are the original's; random ones value + 0.01 (u - 0.5)
/// with u from splitmix64 of seed, array and global index, so independent of the decomposition, and
/// obstacles (bnd = 0) at 2% of the points.
template <class Exec>
void initialise(const Exec& exec, const Grid& grid, const Filling& filling, ArrayId array,
                float* data);

/// The same for all coefficients at once, packed (Layout::Packed).
template <class Exec>
void initialise_packed(const Exec& exec, const Grid& grid, const Filling& filling, float* data);

}  // namespace memstencil::jacobi
