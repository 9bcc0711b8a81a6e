// The rates of a machine that membench has measured.
#include "app/model/rates_from_membench.hpp"

#include "app/common/failure.hpp"
#include "app/common/results_file.hpp"

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <vector>

namespace memstencil::model {

namespace {

constexpr double nano = 1e-9;

const Record* probe_of(const Record& run, const std::string& name) {
  for (const Record& probe : run.at("probes"))
    if (probe.at("name") == name && probe.contains("measurements")) return &probe;
  return nullptr;
}

bool has_all(const Record& parameters, const Record& wanted) {
  for (const auto& [key, value] : wanted.items())
    if (!parameters.contains(key) || parameters.at(key) != value) return false;
  return true;
}

/// The probe's measurement of these parameters with the most bytes, or null.
const Record* largest(const Record* probe, const Record& wanted) {
  const Record* found = nullptr;
  if (probe == nullptr) return found;
  const auto bytes = [](const Record& m) { return m.at("parameters").at("bytes").get<double>(); };
  for (const Record& m : probe->at("measurements"))
    if (has_all(m.at("parameters"), wanted) && (found == nullptr || bytes(m) > bytes(*found))) found = &m;
  return found;
}

void take(const Record* probe, const Record& wanted, Rate rate, MachineRates& out) {
  const Record* m = largest(probe, wanted);
  if (m == nullptr) return;
  const auto gbs = m->at("median").get<double>();
  const auto name = m->at("name").get<std::string>();
  if (!(gbs > 0)) throw Failure(ExitCode::Other, fmt::format("'{}' has a median of {} GB/s", name, gbs));
  out.rates[rate] = {gbs * giga, fmt::format("membench {}: {}", probe->at("name").get<std::string>(), name)};
}

void take_link(const Record& run, MachineRates& out) {
  const Record* link = probe_of(run, "link");
  take(link, {{"direction", "host copy"}, {"by", "vectorised"}}, Rate::HostCopy, out);
  take(link, {{"direction", "device copy"}, {"by", "kernel"}}, Rate::DeviceCopy, out);
  take(link, {{"direction", "HtoD"}, {"memory", "pinned"}, {"by", "copy engine"}}, Rate::LinkToDevice, out);
  take(link, {{"direction", "DtoH"}, {"memory", "pinned"}, {"by", "copy engine"}}, Rate::LinkToHost, out);
  take(link, {{"direction", "DtoH"}, {"memory", "pageable"}, {"by", "copy engine"}}, Rate::LinkToPageable,
       out);
  take(link, {{"direction", "HtoD"}, {"memory", "pinned"}, {"by", "kernel"}}, Rate::DeviceReadsHost, out);
  take(link, {{"direction", "DtoH"}, {"memory", "pinned"}, {"by", "kernel"}}, Rate::DeviceWritesHost, out);
  take(link, {{"direction", "both"}, {"memory", "pinned"}, {"by", "kernel"}}, Rate::LinkBothWays, out);
}

/// Bytes of the source, over the time of the GPU's first repeats until the series is steady: so fast have
/// access counters moved it.
void take_counters(const Record* migration, MachineRates& out) {
  const Record* m = largest(migration, {{"memory", "system"}, {"mode", "plain"}, {"phase", "device 1"}});
  if (m == nullptr) return;
  const auto bytes = m->at("parameters").at("bytes").get<double>();
  const Record& steady = migration->at("derived")
                             .at(fmt::format("{:.0f} bytes", bytes))
                             .at("system")
                             .at("plain")
                             .at("device 1")
                             .at("steady_repeat");
  if (!steady.is_number() || steady.get<std::size_t>() < 2) return;
  double seconds = 0.0;
  for (std::size_t n = 0; n + 1 < steady.get<std::size_t>(); ++n)
    seconds += 2.0 * bytes / (m->at("samples").at(n).get<double>() * giga);
  out.rates[Rate::CounterMigration] = {bytes / seconds, "membench migration: system, plain, device 1"};
}

void take_migration(const Record& run, MachineRates& out) {
  const Record* migration = probe_of(run, "migration");
  take_counters(migration, out);
  const Record* m = largest(migration, {{"memory", "managed"}, {"mode", "plain"}});
  if (m == nullptr) return;
  const std::string size = fmt::format("{:.0f} bytes", m->at("parameters").at("bytes").get<double>());
  const Record& managed = migration->at("derived").at(size).at("managed");
  if (!managed.contains("movement")) return;
  const Record& movement = managed.at("movement");
  /// The mean of the phases that tell: one array has to move in the first, two in the second.
  const auto moved = [&](const std::vector<std::string>& keys, Rate rate) {
    std::vector<double> rates;
    for (const std::string& key : keys)
      if (movement.contains(key) && movement.at(key).is_number())
        rates.push_back(movement.at(key).get<double>());
    if (rates.empty()) return;
    const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size());
    out.rates[rate] = {mean * giga, "membench migration: managed, " + keys.front()};
  };
  moved({"HtoD by fault, device 1, one way GB/s", "HtoD by fault, device 2, one way GB/s"},
        Rate::FaultsToDevice);
  moved({"DtoH by fault, host, one way GB/s"}, Rate::FaultsToHost);
  moved({"HtoD by prefetch, device 1, one way GB/s", "HtoD by prefetch, device 2, one way GB/s"},
        Rate::PrefetchToDevice);
}

/// Results of revisions before 5bdabf2 have no fill by the device: the touch of single words instead, which
/// costs up to twice as much (docs/probes.md), and any release.
const Record* cost_of(const Record* pages, MemorySpace space, Act act) {
  const auto of = [&](std::string_view name_of_act) {
    return largest(pages, {{"memspace", name(space)}, {"pages", "default"}, {"act", name_of_act}});
  };
  const Record* m = of(name(act));
  if (m == nullptr && act == Act::FillByDevice) return of("first touch by device");
  return m == nullptr && act == Act::FreeFilledByDevice ? of(name(Act::Free)) : m;
}

void take_pages(const Record& run, MachineRates& out) {
  const Record* pages = probe_of(run, "pages");
  for (const MemorySpace space : all_memory_spaces)
    for (const Act act : all_acts)
      if (const Record* m = cost_of(pages, space, act))
        out.costs[{act, space}] = {m->at("median").get<double>() * nano,
                                   "membench pages: " + m->at("name").get<std::string>()};
}

void take_machine(const Record& gpu, MachineRates& out) {
  if (!gpu.is_object()) return;
  const auto kind = gpu.at("address_translation").get<std::string>();
  out.translation = Translation{.kind = kind, .counters = kind == "ATS" && gpu.at("numa_node").is_number()};
  out.device_bytes = gpu.at("memory_bytes").get<double>();
  const auto multiprocessors = gpu.at("multiprocessors").get<int>();
  if (multiprocessors < 1)
    throw Failure(ExitCode::Other, fmt::format("its machine.gpu.multiprocessors are {}", multiprocessors));
  out.multiprocessors = multiprocessors;
}

struct ProbedRun {
  Record machine;
  MachineRates rates;
};

ProbedRun probed_run(const std::string& path, const std::string& name, const Record& run) {
  try {
    require_finite(run);
    return {run.value("machine", Record()), rates_from_membench(run)};
  } catch (const Failure& failure) {
    throw Failure(failure.code(), fmt::format("cannot use {}, run {}: {}", path, name, failure.what()));
  }
}

std::string text_at(const Record& record, const char* outer, const char* inner) {
  const Record& at = record.value(outer, Record());
  return at.is_object() && at.contains(inner) && at[inner].is_string() ? at[inner].get<std::string>() : "";
}

}  // namespace

MachineRates rates_from_membench(const Record& run) {
  try {
    const Record& machine = run.at("machine");
    MachineRates out{.origin = "membench on " + machine_title(machine)};
    take_machine(machine.value("gpu", Record()), out);
    take_link(run, out);
    take_migration(run, out);
    take_pages(run, out);
    return out;
  } catch (const Record::exception& error) {
    throw Failure(ExitCode::Other, fmt::format("the model finds no rates in it: {}", error.what()));
  }
}

std::string machine_title(const Record& machine) {
  const std::string gpu = text_at(machine, "gpu", "name");
  const std::string cpu = text_at(machine, "cpu", "model");
  return gpu.empty() ? cpu : gpu + ", " + cpu;
}

bool same_machine(const Record& a, const Record& b) { return machine_title(a) == machine_title(b); }

ProbedRates rates_from_file(const std::string& path, const Record& machine) {
  const ResultsFile file(path);
  std::vector<ProbedRun> here, all;
  for (const std::string& name : file.runs()) {
    const Record run = file.run(name);
    if (run.value("program", "") != "membench") continue;
    all.push_back(probed_run(path, name, run));
    if (same_machine(all.back().machine, machine)) here.push_back(all.back());
  }
  if (all.empty()) throw Failure(ExitCode::Usage, path + " has no membench run to take rates from");
  ProbedRates out;
  if (here.empty()) {
    const Record newest = all.back().machine;
    std::erase_if(all, [&](const ProbedRun& run) { return !same_machine(run.machine, newest); });
    here = all;
    out.warning = fmt::format("the rates in {} are of another machine: {}", path, machine_title(newest));
  }
  for (const ProbedRun& run : here) out.rates = overlay(out.rates, run.rates);
  out.rates.origin += " (" + path + ")";
  return out;
}

}  // namespace memstencil::model
