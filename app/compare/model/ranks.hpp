// The model of a grid code on several ranks: a pass of the slowest one, its messages included.
#pragma once

#include "app/compare/model/grid.hpp"

#include <array>
#include <string>
#include <vector>

namespace memstencil::compare::model {

/// Seconds of a pass of the rank that takes longest.
struct PassOnRanks {
  double sweeps = 0;    ///< its points, with nothing beside
  double messages = 0;  ///< its halo, alone
  /// Together. On a GPU single sweeps go on while messages are under way: max(sweeps, messages);
  /// fused ones once the points at other ranks are made: max(sweeps, edges + messages).
  double total = 0;
};

/// The largest rank's part of the whole grid, its boundary included, as if it were a grid of its
/// own.
GridCase largest_part(const GridCase& whole, const std::array<int, 3>& ranks);

/// For each direction a message's latency, its bytes over the link in a node or the network between
/// nodes, and its packing. Planes of i are sent where they lie, rows of j are packed, and a face of
/// k has every point in a sector of its own. Ranks count with k fastest, and a node has `of_node`
/// that follow each other: so neighbours in k are the closest.
/// @param whole the grid, and sweeps a pass (the width of the halo), executor and memory of the run
/// @throws Missing
PassOnRanks pass_on_ranks(const GridCase& whole, const Ranks& ranks, const MachineRates& rates);

struct Division {
  std::array<int, 3> ranks;
  PassOnRanks pass;
};
/// The division of the grid whose pass is the shortest; nothing where the grid is too small.
/// @throws Missing
std::optional<Division> best_division(const GridCase& whole, int ranks, int of_node,
                                      const MachineRates& rates);

/// Seconds that all sweeps of a run on several ranks wait for its messages. @throws Missing
double halo_seconds(const GridCase& run, const MachineRates& rates);

}  // namespace memstencil::compare::model
