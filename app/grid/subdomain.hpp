// The part of a grid that one rank has: interior points in blocks, with a halo
// towards each neighbour and the fixed boundary layer at the grid's ends.
#pragma once

#include "app/base/cli/numbers.hpp"
#include "kernels/grid/grid.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// "PxQxR" ranks. @throws std::invalid_argument with the values that --ranks takes
std::array<int, 3> parse_ranks(const std::string& text);
std::string ranks_text(const std::array<int, 3>& ranks);

struct Subdomain {
  Triple global;                ///< I, J, K of the whole grid
  std::array<int, 3> ranks;     ///< ranks in i, j, k
  std::array<int, 3> position;  ///< this rank's place among them; ranks count with k fastest
  Triple origin;                ///< global index of the local point (0, 0, 0)
  int halo;                     ///< width towards neighbours
  Grid grid;

  /// This rank's number.
  int rank() const { return number(position); }
  bool alone() const { return ranks == std::array{1, 1, 1}; }
  /// The rank next to this one in direction `d` on side -1 or +1; nothing at the grid's end.
  std::optional<int> neighbour(int d, int side) const;
  /// The same by a step of -1, 0 or 1 in each direction.
  std::optional<int> neighbour(const std::array<int, 3>& steps) const;
  /// The points that this rank answers for: its own, and the grid's fixed boundary.
  Box answered() const;
  /// A box of local indices in global ones.
  Box global_box(Box box) const;
  Filling filling(const std::optional<std::uint64_t>& seed) const {
    return {{global[0], global[1], global[2]}, {origin[0], origin[1], origin[2]}, seed};
  }

private:
  int number(const std::array<int, 3>& place) const {
    return (place[0] * ranks[1] + place[1]) * ranks[2] + place[2];
  }
};

/// @throws Failure(Usage) if the ranks do not multiply to `size`, or a rank would own fewer than
///         `halo` points in a divided direction
Subdomain subdomain_of(const Triple& global, const std::array<int, 3>& ranks, int rank, int size,
                       int halo);

/// Points that a sweep updates in the whole grid: (I-2)(J-2)(K-2).
double updated_points(const Triple& global);

/// A domain decomposition that the user does not name.
struct Decomposition {
  std::array<int, 3> ranks;
  double cost;  ///< of a pass' messages of the rank that sends most: points moved, weighted
};

/// The costs of messages depend on these besides their size.
struct MessageCosts {
  int halo;             ///< its width
  int ranks_of_node;    ///< ranks count with k fastest, so neighbours in k are the closest
  bool staged;          ///< do messages between GPUs pass through host memory?
  bool copied = false;  ///< do a GPU's copy engines carry them during fused sweeps?
};

/// Every domain decomposition that the grid allows, the best first; none if the grid is too
/// small.
std::vector<Decomposition> decompositions(const Triple& extents, int ranks,
                                          const MessageCosts& costs);

/// "chosen for its messages: 2x1x1, next 1x2x1"
std::string choice_text(const std::vector<Decomposition>& ranked,
                        const std::string& what = "its messages");

}  // namespace memstencil
