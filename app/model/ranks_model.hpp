// The model of himeno on several ranks: a pass of the slowest one, its messages included.
#pragma once

#include "app/common/machine/machine_description.hpp"
#include "app/model/himeno_model.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace memstencil::model {

/// The cost of messages between ranks.
struct MessageRates {
  struct Path {
    double latency = 0;  ///< seconds
    double rate = 0;     ///< bytes a second, one way
  };
  Path in_node, between_nodes;
  double start_packing = 0;         ///< seconds, of packing and unpacking
  std::array<double, 3> packing{};  ///< seconds a byte, by direction; 0: sent where it lies
  std::string source = "assumed";   ///< of the paths
};

/// Of a GPU's messages: in a node by NCCL over NVLink (docs/lab/two-gpus.md), between nodes 200
/// Gbit/s. Of a host's: shared memory inside MPI (the same note), between nodes 100 Gbit/s. The
/// rates between nodes are assumed.
MessageRates assumed_message_rates(Executor executor);

/// The assumed rates of a GPU, with the description's `network`: a data sheet's figure counts times
/// reached_of_theory.
MessageRates message_rates_from_description(const MachineDescription& machine);

/// Seconds of a pass of the rank that takes longest.
struct PassOnRanks {
  double sweeps = 0;    ///< its points, with nothing beside
  double launch = 0;    ///< of these, start and end of kernels
  double messages = 0;  ///< its halo, alone
  double total = 0;     ///< together: single sweeps of a GPU go on beside the messages
};

/// The largest rank's part of the whole grid, its boundary included, as if it were a grid of its
/// own.
HimenoCase largest_part(const HimenoCase& whole, const std::array<int, 3>& ranks);

/// For each direction a message's latency, its bytes over the link in a node or the network between
/// nodes, and its packing. Planes of i are sent where they lie, rows of j are packed, and a face of
/// k has every point in a sector of its own. Ranks count with k fastest, and a node has
/// `ranks_of_node` that follow each other: so neighbours in k are the closest.
/// @param whole the grid, and sweeps a pass (the width of the halo), executor and memory of the run
PassOnRanks pass_on_ranks(const HimenoCase& whole, const std::array<int, 3>& ranks,
                          int ranks_of_node, const MachineRates& rates,
                          const MessageRates& messages);

}  // namespace memstencil::model
