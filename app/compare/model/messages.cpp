// The cost of messages between ranks, as membench measured it, or as it is described or assumed.
#include "app/compare/model/messages.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::compare::model {

Path path_of(const MachineRates& rates, const MessageKind& kind, bool between_nodes) {
  const MessageTime *smallest = nullptr, *near = nullptr;
  for (const MessageTime& each : rates.messages) {
    if (each.path != kind.path || each.pattern != kind.pattern ||
        each.between_nodes != between_nodes)
      continue;
    if (smallest == nullptr || each.bytes <= smallest->bytes) smallest = &each;
    if (each.bytes <= kind.bytes && (near == nullptr || each.bytes >= near->bytes)) near = &each;
  }
  if (near != nullptr && near->bytes > smallest->bytes)
    return {smallest->seconds, near->bytes / std::max(1e-9, near->seconds - smallest->seconds),
            "membench exchange"};
  const std::string what =
      fmt::format("messages{}, {}", kind.path.empty() ? "" : " by " + kind.path,
                  between_nodes ? "between nodes" : "in a node");
  const Wire& wire = between_nodes ? rates.between_nodes : rates.in_node;
  if (kind.path == "staged") throw Missing(what);
  if (!wire.rate) throw Missing("rate of " + what);
  if (!wire.latency) throw Missing("latency of " + what);
  return {wire.latency->value, wire.rate->value,
          wire.latency->source == wire.rate->source
              ? wire.rate->source
              : wire.rate->source + "; latency " + wire.latency->source};
}

std::string note_on(const MessageKind& kind, const Path& path, bool between_nodes) {
  return fmt::format("messages{} {}: {:.1f} us and {:.1f} GB/s ({})",
                     kind.path.empty() ? "" : " by " + kind.path,
                     between_nodes ? "between nodes" : "in a node", 1e6 * path.latency,
                     path.rate / giga, path.source);
}

}  // namespace memstencil::compare::model
