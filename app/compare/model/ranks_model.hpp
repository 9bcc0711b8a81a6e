// The model of himeno on several ranks: a pass of the slowest one, its messages included.
#pragma once

#include "app/compare/model/himeno_model.hpp"
#include "app/compare/model/message_rates.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace memstencil::model {

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

/// As membench measured them; nothing where it did not.
std::optional<MessageRates> measured_messages(const HimenoRanks& ranks, const MachineRates& rates);

/// The measured ones, otherwise those assumed of a GPU.
MessageRates messages_of(const HimenoRanks& ranks, const MachineRates& rates);

/// Seconds that all sweeps of a run on several ranks wait for its messages.
double halo_seconds(const HimenoCase& run, const MachineRates& rates, const MessageRates& messages);
/// By messages_of() its ranks; none on one rank.
double halo_seconds(const HimenoCase& run, const MachineRates& rates);

}  // namespace memstencil::model
