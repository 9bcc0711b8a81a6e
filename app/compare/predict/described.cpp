// Rates of a machine without measurements: from its description, or assumed.
#include "app/base/cli/toml_file.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/compare/predict/rates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace memstencil::compare::model {

namespace {

/// 77 of 103 GB/s by kernels (H100, PCIe 5).
constexpr double both_ways_of_sum = 0.75;

/// The key of each rate in a description: a figure's, or (_gbs) a parameter's. A link both ways at
/// once has none.
constexpr std::array keys{"host_memory",
                          "device_memory",
                          "link_host_to_device",
                          "link_device_to_host",
                          "kernel_reads_host",
                          "kernel_writes_host",
                          "",
                          "fault_migration_gbs",
                          "fault_migration_back_gbs",
                          "prefetch_gbs",
                          "access_counter_migration_gbs"};

Figure taken(const MachineFigure& figure, End end) {
  if (!figure.measured)
    return {figure.gbs * giga * reached_of_theory[end],
            fmt::format("{}: {:g} GB/s, of which {} count", figure.source, figure.gbs,
                        reached_of_theory[end])};
  const auto [least, most] =
      figure.source.starts_with(supposed_source)
          ? std::array{figure.gbs / factor_of_assumed, figure.gbs * factor_of_assumed}
          : figure.spread.value_or(std::array{figure.gbs * (1 - spread_of_measured),
                                              figure.gbs * (1 + spread_of_measured)});
  return {giga * std::array{figure.gbs, most, least}[end], figure.source};
}

std::optional<double> parameter(const MachineDescription& machine, const std::string& key) {
  const auto found = machine.parameters.find(key);
  if (found == machine.parameters.end()) return {};
  if (!found->second.value.is_number() || found->second.value.get<double>() <= 0)
    throw Failure(ExitCode::Usage,
                  fmt::format("{}: parameters.{}: a number above 0 is wanted", machine.name, key));
  return found->second.value.get<double>();
}

/// One of these words; nothing if there is no such parameter.
std::optional<std::string> word(const MachineDescription& machine, const std::string& key,
                                const std::vector<std::string>& valid) {
  const auto found = machine.parameters.find(key);
  if (found == machine.parameters.end()) return {};
  const std::string given = plain_text(found->second.value);
  if (std::ranges::count(valid, given) == 0)
    throw Failure(ExitCode::Usage, fmt::format("{}: parameters.{}: valid are \"{}\"", machine.name,
                                               key, fmt::join(valid, "\", \"")));
  return given;
}

std::optional<Translation> translation(const MachineDescription& machine) {
  const auto kind = word(machine, "address_translation", {"ATS", "HMM", "none"});
  if (!kind) return {};
  Translation out{.kind = *kind, .counters = *kind == "ATS"};
  out.gpu_node = word(machine, "memory_mode", {"numa", "driver"}) != "driver";
  out.threshold = parameter(machine, "access_counter_threshold").value_or(out.threshold);
  out.region_bytes = parameter(machine, "migration_granularity_bytes").value_or(out.region_bytes);
  return out;
}

double positive(const TomlTable& table, const std::string& key, bool or_zero = false) {
  const double value = table.number(key);
  if (!(value > 0 || (or_zero && value == 0)))
    table.refuse(key, or_zero ? "a number of at least 0 is wanted" : "a number above 0 is wanted");
  return value;
}

void take_wire(const TomlTable& messages, const std::string& between, Wire& wire) {
  if (!messages.has(between)) return;
  const TomlTable table = messages.table(between);
  table.only({"latency_us", "gbs"});
  if (table.has("latency_us")) wire.latency = 1e-6 * positive(table, "latency_us");
  if (table.has("gbs")) wire.rate = giga * positive(table, "gbs");
}

}  // namespace

std::optional<int> count_of(const MachineDescription& machine, const std::string& key) {
  const auto value = parameter(machine, key);
  if (value && (*value != std::floor(*value) || *value > most_counted))
    throw Failure(ExitCode::Usage,
                  fmt::format("{}: parameters.{}: an integer from 1 to {} is wanted", machine.name,
                              key, most_counted));
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

MachineRates described_rates(const MachineDescription& machine, End end) {
  MachineRates out{.translation = translation(machine),
                   .device_bytes = parameter(machine, "gpu_memory_bytes"),
                   .host_bytes = parameter(machine, "host_memory_bytes")};
  out.multiprocessors = count_of(machine, "gpu_multiprocessors");
  out.step_time = std::array{1.0, 1 - spread_of_measured, 1 + spread_of_measured}[end];
  out.host_threads = count_of(machine, "host_cores");
  if (!out.host_threads && machine.cores)
    out.host_threads =
        static_cast<int>(std::clamp<std::int64_t>(*machine.cores, 1, most_counted) /
                         std::clamp(count_of(machine, "gpus_per_node").value_or(1), 1, 64));
  if (out.host_threads) out.host_threads = std::max(1, *out.host_threads);
  for (const Rate rate : all_rates) {
    const std::string key = keys.at(static_cast<std::size_t>(rate));
    if (const MachineFigure* figure = machine.reached(key))
      out.rates[rate] = taken(*figure, end);
    else if (const auto gbs = parameter(machine, key))
      out.rates[rate] = taken({*gbs, true, machine.parameters.at(key).source}, end);
  }
  // A data sheet's figure of the link bounds kernels as it bounds copy engines.
  for (const auto& [kernel, key] : {std::pair{Rate::DeviceReadsHost, "link_host_to_device"},
                                    {Rate::DeviceWritesHost, "link_device_to_host"}})
    if (const auto theory = machine.figures.find(key);
        theory != machine.figures.end() && !theory->second.measured)
      out.rates.emplace(kernel, taken(theory->second, end));
  if (out.rates.count(Rate::DeviceReadsHost) > 0 && out.rates.count(Rate::DeviceWritesHost) > 0)
    out.rates[Rate::LinkBothWays] = {
        both_ways_of_sum * (out[Rate::DeviceReadsHost] + out[Rate::DeviceWritesHost]),
        fmt::format("{} of both ways' sum (as an H100's PCIe reaches)", both_ways_of_sum)};
  if (const MachineFigure* gpus = machine.reached("between_gpus"))
    out.in_node.rate = taken(*gpus, end).value;
  if (const MachineFigure* network = machine.reached("network"))
    out.between_nodes.rate = taken(*network, end).value;
  return out;
}

Ends ends_of(const MachineDescription& machine, const std::optional<MachineRates>& assumed) {
  Ends out;
  constexpr std::array dear{1.0, 1 / factor_of_assumed, factor_of_assumed};
  for (const End end : {Usual, Fast, Slow}) {
    out[end] = described_rates(machine, end);
    if (assumed) out[end] = overlay(dearer(*assumed, dear[end]), out[end]);
  }
  return out;
}

MachineRates assumed_rates(const std::string& path) {
  const TomlTable file(path, "the file of assumptions");
  file.only({"name", "source", "rates", "pages", "messages"});
  MachineRates out{.assumed = file.text("name") + ", " + file.text("source")};
  if (file.has("rates")) {
    const TomlTable rates = file.table("rates");
    rates.only({rate_names.begin(), rate_names.end()});
    for (const Rate rate : all_rates)
      if (rates.has(name(rate)))
        out.rates[rate] = {giga * positive(rates, name(rate)), assumed_source};
  }
  if (file.has("pages")) {
    const TomlTable pages = file.table("pages");
    std::vector<std::string> names;
    for (const Operation operation : all_operations)
      for (const MemorySpace space : all_memory_spaces) {
        names.push_back(name(operation) + ", " + std::string(memstencil::name(space)));
        if (!pages.has(names.back())) continue;
        const TomlTable cost = pages.table(names.back());
        cost.only({"start_us", "ns_per_byte"});
        out.costs[{operation, space}] = {1e-6 * positive(cost, "start_us", true),
                                         1e-9 * positive(cost, "ns_per_byte", true)};
      }
    pages.only(names);
  }
  if (file.has("messages")) {
    const TomlTable messages = file.table("messages");
    messages.only({"in_node", "between_nodes"});
    take_wire(messages, "in_node", out.in_node);
    take_wire(messages, "between_nodes", out.between_nodes);
  }
  return out;
}

}  // namespace memstencil::compare::model
