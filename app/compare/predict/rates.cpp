// Rates of a machine's memories and links.
#include "app/compare/predict/rates.hpp"

#include <fmt/format.h>

namespace memstencil::compare::model {

MachineRates overlay(MachineRates under, const MachineRates& over) {
  for (const auto& [rate, figure] : over.rates) under.rates[rate] = figure;
  for (const auto& [operation, cost] : over.costs) under.costs[operation] = cost;
  if (over.translation) under.translation = over.translation;
  if (over.device_bytes) under.device_bytes = over.device_bytes;
  if (over.host_bytes) under.host_bytes = over.host_bytes;
  if (over.multiprocessors) under.multiprocessors = over.multiprocessors;
  under.step_time = over.step_time;
  if (over.host_threads) under.host_threads = over.host_threads;
  for (const auto wire : {&MachineRates::in_node, &MachineRates::between_nodes}) {
    if ((over.*wire).latency) (under.*wire).latency = (over.*wire).latency;
    if ((over.*wire).rate) (under.*wire).rate = (over.*wire).rate;
  }
  for (const auto& [key, path] : over.paths) under.paths[key] = path;
  return under;
}

namespace {

/// Calls `of` with the name of each assumed figure, and with an action that makes it dearer.
void each_assumed(MachineRates& rates, const auto& of) {
  for (auto& [rate, figure] : rates.rates)
    if (figure.source == assumed_source || figure.source.starts_with(supposed_source))
      of(name(rate), [&](double times) { figure.value /= times; });
  if (rates.assumed.empty()) return;
  for (auto& [key, cost] : rates.costs)
    of(name_of_cost(key.first, key.second), [&](double times) {
      cost = {cost.start * times, cost.a_byte * times};
    });
}

}  // namespace

std::vector<std::string> assumed_figures(MachineRates rates) {
  std::vector<std::string> names;
  each_assumed(rates, [&](const std::string& name, const auto&) { names.push_back(name); });
  return names;
}

MachineRates dearer(MachineRates rates, double times, const std::string& only) {
  each_assumed(rates, [&](const std::string& name, const auto& make_dearer) {
    if (only.empty() || only == name) make_dearer(times);
  });
  if (only.empty() && !rates.assumed.empty())
    for (Wire* wire : {&rates.in_node, &rates.between_nodes}) {
      if (wire->latency) *wire->latency *= times;
      if (wire->rate) *wire->rate /= times;
    }
  return rates;
}

Path path_of(const MachineRates& rates, const std::string& path, bool between_nodes) {
  const auto measured = rates.paths.find({path, between_nodes});
  if (measured != rates.paths.end()) return measured->second;
  const std::string what = fmt::format("messages{}, {}", path.empty() ? "" : " by " + path,
                                       between_nodes ? "between nodes" : "in a node");
  const Wire& wire = between_nodes ? rates.between_nodes : rates.in_node;
  if (path == "staged") throw Missing(what);
  if (!wire.rate) throw Missing("rate of " + what);
  if (!wire.latency) throw Missing("latency of " + what);
  return {*wire.latency, *wire.rate};
}

}  // namespace memstencil::compare::model
