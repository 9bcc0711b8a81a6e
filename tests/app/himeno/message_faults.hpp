// Faults of messages for tests: MPI's receives are taken over, and what arrived is spoiled.
#pragma once

#include <limits>
#include <optional>

namespace memstencil {

/// What happens to received messages of 64 bytes and more.
struct MessageFault {
  enum class Kind {
    Stale,    ///< the memory keeps what it held
    Late,     ///< the message before it from the same neighbour comes in its place
    Swapped,  ///< it changes places with another neighbour's of the same size
    OneBit,   ///< the lowest bit of one float
    Shifted,  ///< by one float
    Short     ///< the last quarter is missing
  };

  Kind kind = Kind::Stale;
  int first = 1;  ///< message that is spoiled, counted on each rank
  int last = std::numeric_limits<int>::max();
  std::optional<int> rank = {};  ///< that alone receives spoiled messages; nothing: all do
};

/// Counts from one again. Without a fault messages arrive as they are.
void spoil_messages(const std::optional<MessageFault>& fault);
/// Messages that arrived on this rank since then, and how many of them were not what was sent.
int messages_received();
int messages_changed();

}  // namespace memstencil
