// The cost of messages between ranks, as membench measured it, or as it is described or assumed.
#pragma once

#include "app/compare/model/rates.hpp"

#include <string>

namespace memstencil::compare::model {

struct Path {
  double latency = 0, rate = 1;  ///< seconds; bytes a second, one way
  std::string source = {};

  double seconds(double bytes) const { return bytes > 0 ? latency + bytes / rate : 0; }
};

/// A kind of message, and the size that it comes near to.
struct MessageKind {
  std::string path, pattern;
  double bytes = 0;
};

/// Measured: the latency of the smallest message of this path and pattern, and the rate of the
/// largest of at most so many bytes. Otherwise what the rates have, which is not of messages by way
/// of the host's memory ("staged").
/// @throws Missing
Path path_of(const MachineRates& rates, const MessageKind& kind, bool between_nodes);

/// A prediction's note: latency and rate that it counts with, and their source.
std::string note_on(const MessageKind& kind, const Path& path, bool between_nodes);

}  // namespace memstencil::compare::model
