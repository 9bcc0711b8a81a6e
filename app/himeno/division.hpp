// The best division of the grid into ranks: by the time that a pass of the slowest
// rank takes, messages included.
#pragma once

#include "app/himeno/problem.hpp"
#include "app/model/himeno_model.hpp"

#include <array>
#include <string>
#include <vector>

namespace memstencil::himeno {

struct Division {
  std::array<int, 3> ranks;
  double seconds;  ///< of a pass on the rank that takes longest, estimated
};

/// Every division that the grid allows, the best first; none where the grid is too small. An
/// estimate for comparing them: sweeps by the model's assumed rates, and for each direction a
/// message's latency, its bytes over the link in a node or the network between nodes, and its
/// packing. Planes of i are sent where they lie, rows of j are packed, and a face of k has every
/// point in a sector of its own. Ranks count with k fastest, and a node has `ranks_of_node` that
/// follow each other: so neighbours in k are the closest.
/// @param like sweeps a pass (the width of the halo), executor and memory of the run
std::vector<Division> divisions(const Triple& extents, int ranks, int ranks_of_node,
                                model::HimenoCase like);

/// "2x1x1, estimated at 0.43 ms a pass; next 1x2x1 at 0.45 ms"
std::string choice_text(const std::vector<Division>& ranked);

}  // namespace memstencil::himeno
