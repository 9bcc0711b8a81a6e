// The cost of messages between ranks: assumed, of a description, or as membench measured it.
#include "app/compare/model/message_rates.hpp"

#include "app/compare/model/rates_from_description.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::model {

namespace {

/// Through the host's memory, inside MPI (docs/probes/exchange.md).
constexpr MessageRates::Path staged_in_node{20e-6, 3.0 * giga};

}  // namespace

MessageRates assumed_message_rates(Executor executor, const std::string& path) {
  // Packing a face of k: 60 GB/s on an H200.
  if (executor == Executor::Device)
    return {.in_node = path == "staged" ? staged_in_node : MessageRates::Path{7e-6, 270e9},
            .between_nodes = {12e-6, 25e9},
            .start_packing = 10e-6,
            .packing = {0.0, 1.0 / 1e12, 1.0 / 60e9}};
  return {.in_node = {1e-6, 3.7e9},
          .between_nodes = {2e-6, 12e9},
          .start_packing = 0.0,
          .packing = {0.0, 1.0 / 5e9, 1.0 / 0.5e9}};
}

MessageRates assumed_bulk_rates(const std::string& path) {
  MessageRates out = assumed_message_rates(Executor::Device, path);
  if (path != "staged") out.in_node = {18e-6, 360.0 * giga};
  return out;
}

MessageRates message_rates_from_description(const MachineDescription& machine) {
  MessageRates out = assumed_message_rates(Executor::Device);
  const auto rate = [](const MachineFigure& figure) {
    return figure.gbs * giga * (figure.measured ? 1.0 : reached_of_theory);
  };
  if (const MachineFigure* peers = machine.reached("between_gpus")) out.in_node.rate = rate(*peers);
  const MachineFigure* network = machine.reached("network");
  if (network == nullptr) return out;
  out.between_nodes.rate = rate(*network);
  out.source = network->source;
  return out;
}

std::optional<MessageRates> measured_message_rates(const MachineRates& rates,
                                                   const MessageKind& kind, bool between_nodes) {
  const MessageTime *smallest = nullptr, *near = nullptr;
  for (const MessageTime& each : rates.messages) {
    if (each.path != kind.path || each.pattern != kind.pattern ||
        each.between_nodes != between_nodes)
      continue;
    if (smallest == nullptr || each.bytes <= smallest->bytes) smallest = &each;
    if (each.bytes <= kind.bytes && (near == nullptr || each.bytes >= near->bytes)) near = &each;
  }
  if (near == nullptr || near->bytes <= smallest->bytes) return {};
  MessageRates out = assumed_message_rates(Executor::Device);
  // Not a braced list assigned to (a ? b : c): g++ 12 with sanitizers makes zeros of it.
  MessageRates::Path& path = between_nodes ? out.between_nodes : out.in_node;
  path.latency = smallest->seconds;
  const double more = near->seconds - smallest->seconds;
  path.rate = near->bytes / (more > 1e-9 ? more : 1e-9);
  out.source = "membench exchange";
  return out;
}

std::string note_on(const std::string& path, const MessageRates& rates, bool between_nodes) {
  const MessageRates::Path& slowest = between_nodes ? rates.between_nodes : rates.in_node;
  return fmt::format("messages by {} {}: {:.1f} us and {:.1f} GB/s ({})", path,
                     between_nodes ? "between nodes" : "in a node", 1e6 * slowest.latency,
                     slowest.rate / giga, rates.source);
}

}  // namespace memstencil::model
