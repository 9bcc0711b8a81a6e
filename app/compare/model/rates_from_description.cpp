// The rates of a machine that nobody has measured: from its description.
#include "app/compare/model/rates_from_description.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

namespace memstencil::model {

namespace {

/// 77 of 103 GB/s by kernels (H100, PCIe 5).
constexpr double both_ways_of_sum = 0.75;

void take_figure(const MachineDescription& machine, const std::string& key,
                 std::initializer_list<Rate> rates, MachineRates& out) {
  const MachineFigure* found = machine.reached(key);
  if (found == nullptr) return;
  const MachineFigure& figure = *found;
  const double reached = figure.measured ? 1.0 : reached_of_theory;
  for (const Rate rate : rates)
    out.rates[rate] = {figure.gbs * giga * reached,
                       figure.measured
                           ? figure.source
                           : fmt::format("{} x {} (theory)", figure.source, reached_of_theory)};
}

std::optional<double> number(const MachineDescription& machine, const std::string& key) {
  const auto found = machine.parameters.find(key);
  if (found == machine.parameters.end()) return {};
  if (!found->second.value.is_number() || found->second.value.get<double>() <= 0)
    throw Failure(ExitCode::Usage,
                  fmt::format("{}: parameters.{}: a number above 0 is wanted", machine.name, key));
  return found->second.value.get<double>();
}

void take_rate(const MachineDescription& machine, const std::string& key, Rate rate,
               MachineRates& out) {
  if (const auto gbs = number(machine, key))
    out.rates[rate] = {*gbs * giga, machine.parameters.at(key).source};
}

std::optional<Translation> translation(const MachineDescription& machine) {
  const auto found = machine.parameters.find("address_translation");
  if (found == machine.parameters.end()) return {};
  const Record& kind = found->second.value;
  if (kind != "ATS" && kind != "HMM" && kind != "none")
    throw Failure(
        ExitCode::Usage,
        machine.name + ": parameters.address_translation: valid are \"ATS\", \"HMM\" and \"none\"");
  Translation out{.kind = kind.get<std::string>(), .counters = kind == "ATS"};
  out.threshold = number(machine, "access_counter_threshold").value_or(out.threshold);
  out.region_bytes = number(machine, "migration_granularity_bytes").value_or(out.region_bytes);
  return out;
}

}  // namespace

MachineRates rates_from_description(const MachineDescription& machine) {
  MachineRates out{.origin = "the description of " + machine.name,
                   .translation = translation(machine),
                   .device_bytes = number(machine, "gpu_memory_bytes")};
  if (const auto count = number(machine, "gpu_multiprocessors"))
    out.multiprocessors = static_cast<int>(*count);
  take_figure(machine, "host_memory", {Rate::HostCopy}, out);
  take_figure(machine, "device_memory", {Rate::DeviceCopy}, out);
  // A link's data sheet does not tell kernels from copy engines; measurements may.
  take_figure(machine, "link_host_to_device", {Rate::LinkToDevice, Rate::DeviceReadsHost}, out);
  take_figure(machine, "link_device_to_host", {Rate::LinkToHost, Rate::DeviceWritesHost}, out);
  take_figure(machine, "kernel_reads_host", {Rate::DeviceReadsHost}, out);
  take_figure(machine, "kernel_writes_host", {Rate::DeviceWritesHost}, out);
  if (out.rates.count(Rate::DeviceReadsHost) > 0 && out.rates.count(Rate::DeviceWritesHost) > 0)
    out.rates[Rate::LinkBothWays] = {
        both_ways_of_sum * (out[Rate::DeviceReadsHost] + out[Rate::DeviceWritesHost]),
        fmt::format("{} of both ways' sum (as an H100's PCIe reaches)", both_ways_of_sum)};
  take_rate(machine, "fault_migration_gbs", Rate::FaultsToDevice, out);
  take_rate(machine, "fault_migration_back_gbs", Rate::FaultsToHost, out);
  take_rate(machine, "prefetch_gbs", Rate::PrefetchToDevice, out);
  take_rate(machine, "access_counter_migration_gbs", Rate::CounterMigration, out);
  return out;
}

}  // namespace memstencil::model
