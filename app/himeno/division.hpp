// The division of the grid into ranks: the one whose halos cost least to send.
#pragma once

#include "app/himeno/problem.hpp"

#include <array>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// Every division that the grid allows, the best first; none where the grid is too small. The cost
/// of a rank's halo counts the points of its faces: planes of i once, since they are sent where
/// they lie; rows of j four times, because they are packed; faces of k 64 times, as each point of
/// them takes a sector of memory of its own.
/// @param halo its width
std::vector<std::array<int, 3>> divisions(const Triple& extents, int ranks, int halo);

/// "chosen by the cost of its halos, next 1x2x1"; of one alone the first part.
std::string choice_text(const std::vector<std::array<int, 3>>& ranked);

}  // namespace memstencil::himeno
