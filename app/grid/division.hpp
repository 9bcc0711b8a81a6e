// The division of a grid into ranks where the user names none: the one whose messages cost least.
#pragma once

#include "app/grid/subdomain.hpp"

#include <array>
#include <string>
#include <vector>

namespace memstencil {

struct Division {
  std::array<int, 3> ranks;
  double cost;  ///< of a pass' messages of the rank that sends most: points moved, weighted
};

/// What the costs of messages depend on besides their size.
struct MessageCosts {
  int halo;             ///< its width
  int ranks_of_node;    ///< ranks count with k fastest, so neighbours in k are the closest
  bool staged;          ///< do messages between GPUs pass through host memory?
  bool copied = false;  ///< do a GPU's copy engines carry them beside fused sweeps?
};

/// Every division that the grid allows, the best first; none where the grid is too small.
std::vector<Division> divisions(const Triple& extents, int ranks, const MessageCosts& costs);

/// "chosen for its messages: 2x1x1, next 1x2x1"
std::string choice_text(const std::vector<Division>& ranked);

}  // namespace memstencil
