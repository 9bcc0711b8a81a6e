// The problem: the original's sizes and counts, and the arrays' bytes.
#pragma once

#include "app/grid/subdomain.hpp"
#include "kernels/jacobi/arrays.hpp"
#include "kernels/jacobi/initialise.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace memstencil::himeno {

/// "XL" or "512x512x1024" (each extent 3..2^31-1).
/// @throws std::invalid_argument saying what is valid
Triple parse_size(const std::string& text);
/// The original's name of these extents, or "IxJxK".
std::string size_name(const Triple& extents);

/// What initialise() has to know of a rank's part.
inline jacobi::Filling filling(const Subdomain& part, const std::optional<std::uint64_t>& seed) {
  return {{part.global[0], part.global[1], part.global[2]},
          {part.origin[0], part.origin[1], part.origin[2]},
          seed};
}

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
