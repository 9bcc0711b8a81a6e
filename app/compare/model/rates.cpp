// Rates of a machine's memories and links.
#include "app/compare/model/rates.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::compare::model {

std::string name(Rate rate) {
  constexpr std::array names{"host_copy",          "device_copy",        "link_to_device",
                             "link_to_host",       "link_to_pageable",   "device_reads_host",
                             "device_writes_host", "link_both_ways",     "faults_to_device",
                             "faults_to_host",     "prefetch_to_device", "counter_migration"};
  static_assert(names.size() == all_rates.size());
  return names[static_cast<std::size_t>(rate)];
}

std::string name(Operation operation) {
  constexpr std::array names{
      "allocate", "first touch by host",      "first fill by device", "prefetch to device",
      "free",     "free after fill by device"};
  static_assert(names.size() == all_operations.size());
  return names[static_cast<std::size_t>(operation)];
}

double MachineRates::operator[](Rate rate) const {
  const auto found = rates.find(rate);
  if (found == rates.end()) throw Missing(name(rate));
  return found->second.value;
}

const Cost& MachineRates::cost(Operation operation, MemorySpace space) const {
  const auto found = costs.find({operation, space});
  if (found == costs.end())
    throw Missing(name(operation) + ", " + std::string(memstencil::name(space)) + " memory");
  return found->second;
}

const Translation& MachineRates::gpu_translation() const {
  if (!translation) throw Missing("address translation");
  return *translation;
}

int MachineRates::gpu_multiprocessors() const {
  if (!multiprocessors) throw Missing("number of multiprocessors");
  return *multiprocessors;
}

MachineRates overlay(MachineRates under, const MachineRates& over) {
  for (const auto& [rate, figure] : over.rates) under.rates[rate] = figure;
  for (const auto& [operation, cost] : over.costs) under.costs[operation] = cost;
  if (over.translation) under.translation = over.translation;
  if (over.device_bytes) under.device_bytes = over.device_bytes;
  if (over.multiprocessors) under.multiprocessors = over.multiprocessors;
  for (const auto wire : {&MachineRates::in_node, &MachineRates::between_nodes}) {
    if ((over.*wire).latency) (under.*wire).latency = (over.*wire).latency;
    if ((over.*wire).rate) (under.*wire).rate = (over.*wire).rate;
  }
  // Latency and rate of a path have to be of one run.
  std::erase_if(under.messages, [&](const MessageTime& old) {
    return std::any_of(over.messages.begin(), over.messages.end(), [&](const MessageTime& each) {
      return each.path == old.path && each.pattern == old.pattern &&
             each.between_nodes == old.between_nodes;
    });
  });
  under.messages.insert(under.messages.end(), over.messages.begin(), over.messages.end());
  return under;
}

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
    return {smallest->seconds, near->bytes / std::max(1e-9, near->seconds - smallest->seconds)};
  const std::string what =
      fmt::format("messages{}, {}", kind.path.empty() ? "" : " by " + kind.path,
                  between_nodes ? "between nodes" : "in a node");
  const Wire& wire = between_nodes ? rates.between_nodes : rates.in_node;
  if (kind.path == "staged") throw Missing(what);
  if (!wire.rate) throw Missing("rate of " + what);
  if (!wire.latency) throw Missing("latency of " + what);
  return {wire.latency->value, wire.rate->value};
}

}  // namespace memstencil::compare::model
