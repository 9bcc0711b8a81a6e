// Halo layers: the points that messages and stores take and bring, and how they lie in arrays.
#pragma once

#include "app/grid/subdomain.hpp"
#include "memory_spaces/movement.hpp"

#include <cstddef>
#include <vector>

namespace memstencil {

/// Points that a message brings or takes. Planes of i and whole rows of j lie in the array in
/// pieces; faces of k have none.
struct HaloLayer {
  Box box;
  std::size_t first = 0, step = 0;  ///< in values, and in bytes
  Pieces pieces{0, 0};
};

/// The layer at one side of a direction, as wide as the halo, over the whole local array in the
/// others: the neighbour there gets it by a message. Edges and corners come several times: the
/// last message of a rank that receives direction after direction brings the right ones.
/// @param value bytes of one
HaloLayer sent_layer(const Subdomain& subdomain, int direction, int side, std::size_t value);
/// The same of the points that come from there.
HaloLayer received_layer(const Subdomain& subdomain, int direction, int side, std::size_t value);

/// Points that a rank stores into the halo of another, all in no order: those it owns, and the
/// fixed boundary next to them. So each point of a halo comes from one rank.
struct StoredLayer {
  int peer;
  Box here, there;  ///< local indices of each, of the same extents
};
/// For all ranks around this one, those at its edges and corners, too; those at its faces come
/// first.
std::vector<StoredLayer> stored_layers(const Subdomain& subdomain);

}  // namespace memstencil
