// The slabs of points that a rank's messages take and bring, and how they lie in its arrays.
#pragma once

#include "app/grid/subdomain.hpp"
#include "memory_spaces/movement.hpp"

#include <cstddef>

namespace memstencil {

/// Which points the slabs of an exchange have, direction after direction.
enum class Slabs {
  /// The whole local array in the other directions: edges and corners come several times, and the
  /// last message of a rank that receives them in order brings the right ones.
  Whole,
  /// In later directions no points at neighbours: each point of a halo comes from one rank, which
  /// may store it at any time.
  Disjoint
};

/// Points that a message brings or takes. Planes of i and whole rows of j lie in the array in
/// pieces; faces of k have none.
struct Slab {
  Box box;
  std::size_t first = 0, step = 0;  ///< in values, and in bytes
  Pieces pieces{0, 0};
};

/// The slab at one side of a direction, as wide as the halo: what the neighbour there gets.
/// @param value bytes of one
Slab sent_slab(const Subdomain& part, int direction, int side, Slabs which, std::size_t value);
/// The same of the points that come from there.
Slab received_slab(const Subdomain& part, int direction, int side, Slabs which, std::size_t value);

}  // namespace memstencil
