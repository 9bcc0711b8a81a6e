// Rates of a machine's memories and links.
#include "app/compare/predict/rates.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::compare::model {

MachineRates overlay(MachineRates under, const MachineRates& over) {
  for (const auto& [rate, figure] : over.rates) under.rates[rate] = figure;
  for (const auto& [operation, cost] : over.costs) under.costs[operation] = cost;
  if (over.translation) under.translation = over.translation;
  if (over.device_bytes) under.device_bytes = over.device_bytes;
  if (over.multiprocessors) under.multiprocessors = over.multiprocessors;
  under.step_time = over.step_time;
  if (over.host_threads) under.host_threads = over.host_threads;
  for (const auto wire : {&MachineRates::in_node, &MachineRates::between_nodes}) {
    if ((over.*wire).latency) (under.*wire).latency = (over.*wire).latency;
    if ((over.*wire).rate) (under.*wire).rate = (over.*wire).rate;
  }
  // Latency and rate of a path have to be of one run.
  std::erase_if(under.messages, [&](const MessageTime& old) {
    return std::any_of(over.messages.begin(), over.messages.end(), [&](const MessageTime& each) {
      return each.path == old.path && each.between_nodes == old.between_nodes;
    });
  });
  under.messages.insert(under.messages.end(), over.messages.begin(), over.messages.end());
  return under;
}

namespace {

bool is_assumed(const Figure& figure) {
  return figure.source == assumed_source || figure.source.starts_with(supposed_source);
}

}  // namespace

std::vector<std::string> assumed_figures(const MachineRates& rates) {
  std::vector<std::string> names;
  for (const auto& [rate, figure] : rates.rates)
    if (is_assumed(figure)) names.push_back(name(rate));
  if (!rates.assumed.empty())
    for (const auto& [of, cost] : rates.costs) names.push_back(name_of_cost(of.first, of.second));
  return names;
}

MachineRates dearer(MachineRates rates, double times, const std::string& only) {
  for (auto& [rate, figure] : rates.rates)
    if (is_assumed(figure) && (only.empty() || only == name(rate))) figure.value /= times;
  if (!rates.assumed.empty())
    for (auto& [of, cost] : rates.costs)
      if (only.empty() || only == name_of_cost(of.first, of.second))
        cost = {cost.start * times, cost.a_byte * times};
  if (only.empty() && !rates.assumed.empty())
    for (Wire* wire : {&rates.in_node, &rates.between_nodes}) {
      if (wire->latency) *wire->latency *= times;
      if (wire->rate) *wire->rate /= times;
    }
  return rates;
}

Path path_of(const MachineRates& rates, const std::string& path, bool between_nodes) {
  constexpr double halo_bytes = 4 << 20;
  const MessageTime *smallest = nullptr, *near = nullptr;
  for (const MessageTime& each : rates.messages) {
    if (each.path != path || each.between_nodes != between_nodes) continue;
    if (smallest == nullptr || each.bytes <= smallest->bytes) smallest = &each;
    if (each.bytes <= halo_bytes && (near == nullptr || each.bytes >= near->bytes)) near = &each;
  }
  if (near != nullptr && near->bytes > smallest->bytes)
    return {smallest->seconds, near->bytes / std::max(1e-9, near->seconds - smallest->seconds)};
  const std::string what = fmt::format("messages{}, {}", path.empty() ? "" : " by " + path,
                                       between_nodes ? "between nodes" : "in a node");
  const Wire& wire = between_nodes ? rates.between_nodes : rates.in_node;
  if (path == "staged") throw Missing(what);
  if (!wire.rate) throw Missing("rate of " + what);
  if (!wire.latency) throw Missing("latency of " + what);
  return {*wire.latency, *wire.rate};
}

}  // namespace memstencil::compare::model
