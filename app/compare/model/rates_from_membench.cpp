// The rates of a machine that membench has measured.
#include "app/compare/model/rates_from_membench.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

namespace memstencil::model {

namespace {

constexpr double nano = 1e-9;

using probed::MeasurementRecord;
using probed::ProbeRecord;

/// Null where it was skipped or not run.
const ProbeRecord* probe_of(const probed::Result& run, const std::string& name) {
  for (const ProbeRecord& probe : run.probes)
    if (probe.identity.name == name && !probe.skipped) return &probe;
  return nullptr;
}

bool has_all(const Record& parameters, const Record& wanted) {
  for (const auto& [key, value] : wanted.items())
    if (!parameters.contains(key) || parameters.at(key) != value) return false;
  return true;
}

double bytes_of(const MeasurementRecord& m) {
  const auto bytes = m.parameters.find("bytes");
  if (bytes == m.parameters.end() || !bytes->is_number())
    throw Failure(ExitCode::Other,
                  fmt::format("'{}' has no number of bytes among its parameters", m.name));
  return bytes->get<double>();
}

/// The probe's measurement of these parameters with the most bytes, or null.
const MeasurementRecord* largest(const ProbeRecord* probe, const Record& wanted) {
  const MeasurementRecord* found = nullptr;
  if (probe == nullptr) return found;
  for (const MeasurementRecord& m : probe->measurements)
    if (has_all(m.parameters, wanted) && (found == nullptr || bytes_of(m) > bytes_of(*found)))
      found = &m;
  return found;
}

/// The figures that the probe derived, by the names of the groups that it stands in.
const Record& derived(const ProbeRecord& probe, const std::vector<std::string>& names) {
  const Record* here = &probe.derived;
  std::string path = "derived";
  for (const std::string& name : names) {
    path += "." + name;
    const auto found = here->find(name);
    if (found == here->end())
      throw Failure(ExitCode::Other,
                    fmt::format("the probe '{}' has no '{}'", probe.identity.name, path));
    here = &*found;
  }
  return *here;
}

std::string size_text(const MeasurementRecord& m) {
  return fmt::format("{:.0f} bytes", bytes_of(m));
}

void take(const ProbeRecord* probe, const Record& wanted, Rate rate, MachineRates& out) {
  const MeasurementRecord* m = largest(probe, wanted);
  if (m == nullptr) return;
  const double gbs = m->spread.median;
  if (!(gbs > 0))
    throw Failure(ExitCode::Other, fmt::format("'{}' has a median of {} GB/s", m->name, gbs));
  out.rates[rate] = {gbs * giga, fmt::format("membench {}: {}", probe->identity.name, m->name)};
}

void take_link(const probed::Result& run, MachineRates& out) {
  const ProbeRecord* link = probe_of(run, "link");
  take(link, {{"direction", "host copy"}, {"by", "vectorised"}}, Rate::HostCopy, out);
  take(link, {{"direction", "device copy"}, {"by", "kernel"}}, Rate::DeviceCopy, out);
  take(link, {{"direction", "HtoD"}, {"memory", "pinned"}, {"by", "copy engine"}},
       Rate::LinkToDevice, out);
  take(link, {{"direction", "DtoH"}, {"memory", "pinned"}, {"by", "copy engine"}}, Rate::LinkToHost,
       out);
  take(link, {{"direction", "DtoH"}, {"memory", "pageable"}, {"by", "copy engine"}},
       Rate::LinkToPageable, out);
  take(link, {{"direction", "HtoD"}, {"memory", "pinned"}, {"by", "kernel"}}, Rate::DeviceReadsHost,
       out);
  take(link, {{"direction", "DtoH"}, {"memory", "pinned"}, {"by", "kernel"}},
       Rate::DeviceWritesHost, out);
  take(link, {{"direction", "both"}, {"memory", "pinned"}, {"by", "kernel"}}, Rate::LinkBothWays,
       out);
}

/// Bytes of the source, over the time of the GPU's first repeats until the series is steady: so
/// fast have access counters moved it.
void take_counters(const ProbeRecord* migration, MachineRates& out) {
  const MeasurementRecord* m =
      largest(migration, {{"memory", "system"}, {"mode", "plain"}, {"phase", "device 1"}});
  if (m == nullptr) return;
  const Record steady =
      derived(*migration, {size_text(*m), "system", "plain", "device 1", "steady_repeat"});
  const double repeats = steady.is_number() ? steady.get<double>() - 1 : 0;
  if (repeats < 1) return;
  if (repeats > static_cast<double>(m->samples.size()))
    throw Failure(ExitCode::Other, fmt::format("'{}' is steady after its last sample", m->name));
  const double bytes = bytes_of(*m);
  double seconds = 0.0;
  for (std::size_t n = 0; n < static_cast<std::size_t>(repeats); ++n)
    seconds += 2.0 * bytes / (m->samples[n] * giga);
  out.rates[Rate::CounterMigration] = {bytes / seconds,
                                       "membench migration: system, plain, device 1"};
}

void take_migration(const probed::Result& run, MachineRates& out) {
  const ProbeRecord* migration = probe_of(run, "migration");
  take_counters(migration, out);
  const MeasurementRecord* m = largest(migration, {{"memory", "managed"}, {"mode", "plain"}});
  if (m == nullptr) return;
  const Record managed = derived(*migration, {size_text(*m), "managed"});
  const auto found = managed.find("movement");
  if (found == managed.end()) return;
  const Record& movement = *found;
  /// The mean of the phases that tell: one array has to move in the first, two in the second.
  const auto moved = [&](const std::vector<std::string>& keys, Rate rate) {
    std::vector<double> rates;
    for (const std::string& key : keys)
      if (movement.contains(key) && movement.at(key).is_number())
        rates.push_back(movement.at(key).get<double>());
    if (rates.empty()) return;
    const double mean =
        std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size());
    out.rates[rate] = {mean * giga, "membench migration: managed, " + keys.front()};
  };
  moved({"HtoD by fault, device 1, one way GB/s", "HtoD by fault, device 2, one way GB/s"},
        Rate::FaultsToDevice);
  moved({"DtoH by fault, host, one way GB/s"}, Rate::FaultsToHost);
  moved({"HtoD by prefetch, device 1, one way GB/s", "HtoD by prefetch, device 2, one way GB/s"},
        Rate::PrefetchToDevice);
}

/// Results of revisions before 5bdabf2 have no fill by the device: the touch of single words
/// instead, which costs up to twice as much (docs/probes/pages.md), and any release.
const MeasurementRecord* cost_of(const ProbeRecord* pages, MemorySpace space,
                                 MemoryOperation operation) {
  const auto of = [&](std::string_view name_of_operation) {
    return largest(pages,
                   {{"memspace", name(space)}, {"pages", "default"}, {"act", name_of_operation}});
  };
  const MeasurementRecord* m = of(name(operation));
  if (m == nullptr && operation == MemoryOperation::FillByDevice)
    return of("first touch by device");
  return m == nullptr && operation == MemoryOperation::FreeFilledByDevice
             ? of(name(MemoryOperation::Free))
             : m;
}

void take_pages(const probed::Result& run, MachineRates& out) {
  const ProbeRecord* pages = probe_of(run, "pages");
  for (const MemorySpace space : all_memory_spaces)
    for (const MemoryOperation operation : all_memory_operations)
      if (const MeasurementRecord* m = cost_of(pages, space, operation))
        out.costs[{operation, space}] = {m->spread.median * nano, "membench pages: " + m->name};
}

void take_exchange(const probed::Result& run, MachineRates& out) {
  const ProbeRecord* probe = probe_of(run, "exchange");
  if (probe == nullptr) return;
  const auto text = [](const MeasurementRecord& m, const char* name) {
    const auto found = m.parameters.find(name);
    return found != m.parameters.end() && found->is_string() ? found->get<std::string>() : "";
  };
  for (const MeasurementRecord& m : probe->measurements)
    if (m.spread.median > 0.0 && bytes_of(m) > 0.0 && std::isfinite(bytes_of(m) / m.spread.median))
      out.messages.push_back({.path = text(m, "path"),
                              .pattern = text(m, "pattern"),
                              .between_nodes = !has_all(m.parameters, {{"nodes", 1}}),
                              .bytes = bytes_of(m),
                              .seconds = bytes_of(m) / (giga * m.spread.median)});
}

template <class T>
const T& known(const std::optional<T>& fact, const char* name) {
  if (!fact) throw Failure(ExitCode::Other, fmt::format("'machine.gpu.{}' is missing", name));
  return *fact;
}

void take_gpu(const MachineFacts::Gpu& gpu, MachineRates& out) {
  const std::string& kind = known(gpu.address_translation, "address_translation");
  // Older results do not tell whether the site has switched the counters off.
  out.translation =
      Translation{.kind = kind,
                  .gpu_node = gpu.numa_node.has_value(),
                  .counters = kind == "ATS" && gpu.numa_node && gpu.counters_migrate != false};
  out.device_bytes = static_cast<double>(known(gpu.memory_bytes, "memory_bytes"));
  out.multiprocessors = static_cast<int>(known(gpu.multiprocessors, "multiprocessors"));
  if (*out.multiprocessors < 1)
    throw Failure(ExitCode::Other,
                  fmt::format("its machine.gpu.multiprocessors are {}", *out.multiprocessors));
}

}  // namespace

MachineRates rates_from_membench(const probed::Result& run) {
  MachineRates out{.origin = "membench on " + machine_title(run.machine)};
  if (run.machine.gpu) take_gpu(*run.machine.gpu, out);
  take_link(run, out);
  take_migration(run, out);
  take_pages(run, out);
  take_exchange(run, out);
  return out;
}

}  // namespace memstencil::model
