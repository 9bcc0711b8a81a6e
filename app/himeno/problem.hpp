// The problem: the size of the whole grid, and the part of it that one rank has.
#pragma once

#include "kernels/jacobi/arrays.hpp"
#include "kernels/jacobi/initialise.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace memstencil::himeno {

using Triple = std::array<std::int64_t, 3>;

/// "XL" or "512x512x1024" (each extent 3..2^31-1).
/// @throws std::invalid_argument saying what is valid
Triple parse_size(const std::string& text);
/// The original's name of these extents, or "IxJxK".
std::string size_name(const Triple& extents);
/// "PxQxR" ranks. @throws std::invalid_argument saying what is valid
std::array<int, 3> parse_ranks(const std::string& text);
std::string ranks_text(const std::array<int, 3>& ranks);

/// One rank's part of the grid: interior points in blocks, with a halo towards each neighbour and
/// the fixed boundary layer at the grid's ends.
struct Subdomain {
  Triple global;                ///< I, J, K of the whole grid
  std::array<int, 3> ranks;     ///< ranks in i, j, k
  std::array<int, 3> position;  ///< this rank's place among them; ranks count with k fastest
  Triple origin;                ///< global index of the local point (0, 0, 0)
  int halo;                     ///< width towards neighbours
  Grid grid;

  /// This rank's number.
  int rank() const { return number(position); }
  /// What initialise() has to know of this part.
  jacobi::Filling filling(const std::optional<std::uint64_t>& seed) const {
    return {{global[0], global[1], global[2]}, {origin[0], origin[1], origin[2]}, seed};
  }
  /// The rank next to this one in direction `d` on side -1 or +1; nothing at the grid's end.
  std::optional<int> neighbour(int d, int side) const;

private:
  int number(const std::array<int, 3>& place) const {
    return (place[0] * ranks[1] + place[1]) * ranks[2] + place[2];
  }
};

/// @throws Failure(Usage) where the ranks do not multiply to `size`, or a rank would own fewer than
///         `halo` points in a divided direction
Subdomain subdomain(const Triple& global, const std::array<int, 3>& ranks, int rank, int size,
                    int halo);

/// Points that a sweep updates in the whole grid: (I-2)(J-2)(K-2).
double updated_points(const Triple& global);
/// The original's count of operations a sweep: 34 (I-3)(J-3)(K-3).
double original_flops(const Triple& global);

/// Bytes of the arrays of one rank: 13 arrays and the second p.
double field_bytes(const Grid& grid);

/// Planes that are staged at a time of so many arrays that are packed into one: as many as fill a
/// buffer of an array's size, and at least one.
std::int64_t staged_planes(const Grid& grid, std::size_t arrays);
/// Floats of the largest part of the arrays that is staged at a time.
std::size_t staged_floats(const Grid& grid, jacobi::Layout layout);

}  // namespace memstencil::himeno
