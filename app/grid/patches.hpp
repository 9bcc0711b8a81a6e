// Which points of a rank are compared after the time loop: where faults of it would stand.
#pragma once

#include "app/grid/subdomain.hpp"

#include <cstdint>
#include <vector>

namespace memstencil {

/// Boxes of local indices: all owned points where their evaluation (cone.hpp) is quick, otherwise
/// small boxes at corners, edges, faces, seams of slabs, and about a thousand at random places,
/// half of them at faces that have a neighbour. There is at least one of each kind, and more as
/// long as few points have to be evaluated. The same in every run.
/// @param slab_planes of streamed sweeps; 0: no sweep has slabs
std::vector<Box> patches(const Subdomain& part, std::int64_t slab_planes, int sweeps);

}  // namespace memstencil
