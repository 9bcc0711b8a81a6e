// The cost of messages between ranks: assumed, of a description, or as membench measured it.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/model/machine_rates.hpp"
#include "memory_spaces/memory_space.hpp"

#include <array>
#include <optional>
#include <string>

namespace memstencil::model {

struct MessageRates {
  struct Path {
    double latency = 0;  ///< seconds
    double rate = 0;     ///< bytes a second, one way

    double seconds(double bytes) const { return bytes > 0.0 ? latency + bytes / rate : 0.0; }
  };
  Path in_node, between_nodes;
  double start_packing = 0;         ///< seconds, of packing and unpacking
  std::array<double, 3> packing{};  ///< seconds a byte, by direction; 0: sent where it lies
  std::string source = "assumed";   ///< of the paths
};

/// Of halos. A GPU's in a node by NCCL over NVLink (docs/lab/many-gpus.md), or through the host's
/// memory where the path is "staged"; between nodes 200 Gbit/s. A host's: shared memory inside MPI
/// (the same note), between nodes 100 Gbit/s. The rates between nodes are assumed.
MessageRates assumed_message_rates(Executor executor, const std::string& path = "");

/// Of a GPU's messages of many MiB: 360 GB/s over NVLink (docs/probes/exchange.md); otherwise as
/// above.
MessageRates assumed_bulk_rates(const std::string& path);

/// The assumed rates of a GPU, with the description's `network` and `between_gpus`: a data sheet's
/// figure counts times reached_of_theory.
MessageRates message_rates_from_description(const MachineDescription& machine);

/// A kind of message, and the size that it comes near to.
struct MessageKind {
  std::string path, pattern;
  double bytes = 0;
};

/// The latency of the smallest message of this path and pattern, and the rate of the largest of at
/// most so many bytes; nothing where two sizes are not known. What was not measured is assumed.
std::optional<MessageRates> measured_message_rates(const MachineRates& rates,
                                                   const MessageKind& kind, bool between_nodes);

/// A prediction's note: path, latency and rate that it counts with, and their source.
std::string note_on(const std::string& path, const MessageRates& rates, bool between_nodes);

}  // namespace memstencil::model
