// Rates of a machine: laid over each other, described, or assumed.
#include "app/compare/predict/rates.hpp"
#include "app/base/cli/toml_file.hpp"

#include <fmt/ranges.h>

namespace memstencil::compare::model {

MachineRates overlay(MachineRates under, const MachineRates& over) {
  for (const auto& [rate, figure] : over.rates) under.rates[rate] = figure;
  for (const auto& [operation, cost] : over.costs) under.costs[operation] = cost;
  if (over.translation) under.translation = over.translation;
  if (over.device_bytes) under.device_bytes = over.device_bytes;
  if (over.host_bytes) under.host_bytes = over.host_bytes;
  if (over.multiprocessors) under.multiprocessors = over.multiprocessors;
  if (over.host_threads) under.host_threads = over.host_threads;
  under.step_time = over.step_time;
  for (const auto& [key, path] : over.paths) {
    if (path.latency > 0) under.paths[key].latency = path.latency;
    if (path.rate > 0) under.paths[key].rate = path.rate;
  }
  return under;
}

namespace {

bool is_assumed(const Figure& figure) {
  return figure.source == assumed_source || figure.source.starts_with(supposed_source);
}

Cost operator*(const Cost& cost, double times) { return {cost.start * times, cost.a_byte * times}; }

/// 77 of 103 GB/s by kernels (H100, PCIe 5).
constexpr double both_ways_of_sum = 0.75;

/// "device memory 3200 (3040 to 3360) GB/s: [source]"
std::string bandwidth(const char* of, const char* rate, const Ends& rates) {
  const auto found = rates[Usual].rates.find(rate);
  if (found == rates[Usual].rates.end()) return fmt::format("{}: its bandwidth is not given", of);
  return fmt::format("{} {:.4g} ({:.4g} to {:.4g}) GB/s: {}", of, rates[Usual][rate] / giga,
                     rates[Slow][rate] / giga, rates[Fast][rate] / giga, found->second.source);
}

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

[[noreturn]] void refuse(const MachineDescription& machine, const std::string& key,
                         const std::string& wanted) {
  throw Failure(ExitCode::Usage, fmt::format("{}: parameters.{}: {}", machine.name, key, wanted));
}

std::optional<double> parameter(const MachineDescription& machine, const std::string& key) {
  const auto found = machine.parameters.find(key);
  if (found == machine.parameters.end()) return {};
  const Record& value = found->second.value;
  if (!value.is_number() || value.get<double>() <= 0)
    refuse(machine, key, "a number above 0 is wanted");
  return value.get<double>();
}

/// One of these words; empty if there is no such parameter.
std::string word(const MachineDescription& machine, const std::string& key,
                 const std::vector<std::string>& valid) {
  const auto found = machine.parameters.find(key);
  if (found == machine.parameters.end()) return "";
  const std::string given = plain_text(found->second.value);
  if (std::ranges::count(valid, given) == 0)
    refuse(machine, key, fmt::format("valid are \"{}\"", fmt::join(valid, "\", \"")));
  return given;
}

std::optional<Translation> translation(const MachineDescription& machine) {
  const std::string kind = word(machine, "address_translation", {"ATS", "HMM", "none"});
  if (kind.empty()) return {};
  return Translation{.kind = kind,
                     .gpu_node = word(machine, "memory_mode", {"numa", "driver"}) != "driver",
                     .counters = kind == "ATS"};
}

double positive(const TomlTable& table, const std::string& key, bool or_zero = false) {
  const double value = table.number(key);
  if (!(value > 0 || (or_zero && value == 0)))
    table.refuse(key, or_zero ? "a number of at least 0 is wanted" : "a number above 0 is wanted");
  return value;
}

}  // namespace

MachineRates dearer(MachineRates rates, double times) {
  for (auto& [rate, figure] : rates.rates)
    if (is_assumed(figure)) figure.value /= times;
  if (rates.assumed.empty()) return rates;
  for (auto& [key, cost] : rates.costs) cost = cost * times;
  for (auto& [key, path] : rates.paths) path = {path.latency * times, path.rate / times};
  return rates;
}

std::vector<std::pair<std::string, MachineRates>> each_dearer(const MachineRates& rates,
                                                              double times) {
  std::vector<std::pair<std::string, MachineRates>> all;
  for (const auto& [rate, figure] : rates.rates)
    if (is_assumed(figure)) all.emplace_back(rate, rates).second.rates[rate].value /= times;
  for (const auto& [key, cost] : rates.costs)
    if (!rates.assumed.empty())
      all.emplace_back(name_of_cost(key.first, key.second), rates).second.costs[key] = cost * times;
  return all;
}

Path path_of(const MachineRates& rates, const std::string& path, bool between_nodes) {
  const std::string what = fmt::format("messages{}, {}", path.empty() ? "" : " by " + path,
                                       between_nodes ? "between nodes" : "in a node");
  auto found = rates.paths.find({path, between_nodes});
  if (found == rates.paths.end() && path == "staged") throw Missing(what);
  if (found == rates.paths.end()) found = rates.paths.find({"", between_nodes});
  if (found == rates.paths.end() || found->second.rate == 0) throw Missing("rate of " + what);
  if (found->second.latency == 0) throw Missing("latency of " + what);
  return found->second;
}

std::optional<int> count_of(const MachineDescription& machine, const std::string& key) {
  const auto value = parameter(machine, key);
  if (value && (*value != std::floor(*value) || *value > most_counted))
    refuse(machine, key, fmt::format("an integer from 1 to {} is wanted", most_counted));
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
    out.host_threads = static_cast<int>(std::clamp<std::int64_t>(
        *machine.cores / count_of(machine, "gpus_per_node").value_or(1), 1, most_counted));
  for (const auto& [rate, key] : all_rates)
    if (const MachineFigure* figure = machine.reached(key))
      out.rates[rate] = taken(*figure, end);
    else if (const auto gbs = parameter(machine, key))
      out.rates[rate] = taken({*gbs, true, machine.parameters.at(key).source}, end);
  // A data sheet's figure of the link bounds kernels as it bounds copy engines.
  for (const auto& [kernel, key] : {std::pair{"device_reads_host", "link_host_to_device"},
                                    {"device_writes_host", "link_device_to_host"}})
    if (const auto theory = machine.figures.find(key);
        theory != machine.figures.end() && !theory->second.measured)
      out.rates.emplace(kernel, taken(theory->second, end));
  if (out.rates.count("device_reads_host") > 0 && out.rates.count("device_writes_host") > 0)
    out.rates["link_both_ways"] = {
        both_ways_of_sum * (out["device_reads_host"] + out["device_writes_host"]),
        fmt::format("{} of both ways' sum (as an H100's PCIe reaches)", both_ways_of_sum)};
  for (const auto& [key, between_nodes] : {std::pair{"between_gpus", false}, {"network", true}})
    if (const MachineFigure* figure = machine.reached(key))
      out.paths[{"", between_nodes}].rate = taken(*figure, end).value;
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

std::vector<std::string> notes_on(const MachineDescription& machine, const Ends& rates) {
  const MachineRates& usual = rates[Usual];
  constexpr std::string_view supposed = supposed_source;
  std::vector<std::string> assumed,
      notes{bandwidth("device memory", "device_copy", rates) + "; " +
            bandwidth("a kernel over the link", "device_reads_host", rates)};
  for (const auto& [rate, figure] : usual.rates) {
    const std::string value = fmt::format("{} {:.3g} GB/s", rate, figure.value / giga);
    if (figure.source == assumed_source) assumed.push_back(value);
    if (figure.source.starts_with(supposed))
      notes.push_back(fmt::format("{} is supposed, not stated ({})", value,
                                  figure.source.substr(supposed.size())));
  }
  if (!usual.costs.empty()) assumed.push_back("all costs of allocation and pages");
  if (!usual.assumed.empty())
    notes.push_back(fmt::format("assumed, since its description does not say: {}. They are of {}",
                                fmt::join(assumed, ", "), usual.assumed));
  if (usual.translation && usual.translation->ats())
    notes.push_back(fmt::format("memory mode {}{}",
                                usual.translation->gpu_node ? "numa" : "driver (CDMM)",
                                machine.parameters.contains("memory_mode")
                                    ? ""
                                    : " (assumed: it gives no parameters.memory_mode)"));
  if (!usual.host_threads) notes.push_back("16 host threads are assumed: it gives no host_cores");
  return notes;
}

MachineRates assumed_rates(const std::string& path) {
  const TomlTable file(path, "the file of assumptions");
  file.only({"name", "source", "rates", "pages", "messages"});
  MachineRates out{.assumed = file.text("name") + ", " + file.text("source")};
  if (file.has("rates")) {
    const TomlTable rates = file.table("rates");
    std::vector<std::string> names;
    for (const auto& [rate, described] : all_rates) {
      names.emplace_back(rate);
      if (rates.has(rate)) out.rates[rate] = {giga * positive(rates, rate), assumed_source};
    }
    rates.only(names);
  }
  if (file.has("pages")) {
    const TomlTable pages = file.table("pages");
    std::vector<std::string> names;
    for (const std::string operation : operations)
      for (const MemorySpace space : all_memory_spaces) {
        names.push_back(operation + ", " + std::string(memstencil::name(space)));
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
    for (const std::string& between : messages.keys()) {
      const TomlTable table = messages.table(between);
      table.only({"latency_us", "gbs"});
      Path& any = out.paths[{"", between == "between_nodes"}];
      if (table.has("latency_us")) any.latency = 1e-6 * positive(table, "latency_us");
      if (table.has("gbs")) any.rate = giga * positive(table, "gbs");
    }
  }
  return out;
}

}  // namespace memstencil::compare::model
