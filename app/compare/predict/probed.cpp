// The rates of a machine that membench has measured.
#include "app/base/runtime/failure.hpp"
#include "app/compare/predict/rates.hpp"
#include "app/compare/read/run.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace memstencil::compare::model {

namespace {

using Rows = std::vector<ProbeRow>;

void set(const ProbeRow& row, double gbs, Rate rate, MachineRates& out) {
  if (!(gbs > 0))
    throw Failure(ExitCode::Other,
                  fmt::format("probe {}, '{}': {} GB/s", row.probe, row.label, gbs));
  out.rates[rate] = {gbs * giga, "membench"};
}

void take(const Rows& rows, const Wanted& wanted, Rate rate, MachineRates& out) {
  if (const ProbeRow* row = largest(rows, "link", wanted)) set(*row, row->value, rate, out);
}

void take_link(const Rows& rows, MachineRates& out) {
  take(rows, {{"direction", "host copy"}, {"by", "vectorised"}}, Rate::HostCopy, out);
  take(rows, {{"direction", "device copy"}, {"by", "kernel"}}, Rate::DeviceCopy, out);
  const auto of = [](const char* direction, const char* memory, const char* by) {
    return Wanted{{"direction", direction}, {"memory", memory}, {"by", by}};
  };
  take(rows, of("HtoD", "pinned", "copy engine"), Rate::LinkToDevice, out);
  take(rows, of("DtoH", "pinned", "copy engine"), Rate::LinkToHost, out);
  take(rows, of("HtoD", "pinned", "kernel"), Rate::DeviceReadsHost, out);
  take(rows, of("DtoH", "pinned", "kernel"), Rate::DeviceWritesHost, out);
  if (const auto gbs = both_ways_gbs(rows))
    out.rates[Rate::LinkBothWays] = {*gbs * giga, "membench"};
}

/// Bytes of the source, over the time of the GPU's first repeats until the series is steady: so
/// fast have access counters moved it.
void take_counters(const Rows& rows, MachineRates& out) {
  const ProbeRow* row =
      largest(rows, "migration", {{"memory", "system"}, {"mode", "plain"}, {"phase", "device 1"}});
  if (row == nullptr || row->row.samples.count("gbs") == 0) return;
  const std::vector<double>& gbs = row->row.samples.at("gbs").values;
  const double repeats = row->row.number("steady_repeat") - 1;
  if (repeats < 1 || repeats > static_cast<double>(gbs.size())) return;
  double seconds_a_byte = 0;
  for (std::size_t n = 0; n < static_cast<std::size_t>(repeats); ++n)
    seconds_a_byte += 2 / (gbs[n] * giga);
  set(*row, 1 / (seconds_a_byte * giga), Rate::CounterMigration, out);
}

/// The mean over the phases that moved pages: one array has to move in the first, two in the
/// second.
void take_moving(const Rows& rows, const Wanted& wanted, const std::vector<std::string>& phases,
                 const char* column, Rate rate, MachineRates& out) {
  std::vector<double> gbs;
  const ProbeRow* any = nullptr;
  for (const std::string& phase : phases) {
    Wanted of = wanted;
    of.emplace_back("phase", phase);
    const ProbeRow* row = largest(rows, "migration", of);
    if (row == nullptr || !(row->row.number(column) > 0)) continue;
    any = row;
    gbs.push_back(row->row.number(column));
  }
  if (any != nullptr)
    set(*any, std::accumulate(gbs.begin(), gbs.end(), 0.0) / static_cast<double>(gbs.size()), rate,
        out);
}

void take_migration(const Rows& rows, MachineRates& out) {
  take_counters(rows, out);
  const Wanted plain{{"memory", "managed"}, {"mode", "plain"}};
  const Wanted prefetch{{"memory", "managed"}, {"mode", "prefetch"}};
  take_moving(rows, plain, {"device 1", "device 2"}, "moved_gbs", Rate::FaultsToDevice, out);
  take_moving(rows, plain, {"host"}, "moved_gbs", Rate::FaultsToHost, out);
  take_moving(rows, prefetch, {"device 1", "device 2"}, "prefetch_gbs", Rate::PrefetchToDevice,
              out);
}

/// Of default pages; of registered memory those of huge pages, where it has them.
void take_pages(const Rows& rows, MachineRates& out) {
  for (const ProbeRow& row : rows) {
    if (row.probe != "pages" || !row.row.has("ns_per_byte")) continue;
    const std::string allocation =
        row.row.has("allocation") ? row.row.text("allocation") : "default";
    const bool registered = allocation == "registered", huge = row.row.is("pages", "huge");
    if (!registered && (allocation != "default" || huge)) continue;
    const std::string act = row.row.text("act") + (registered ? " registered" : "");
    for (const MemorySpace space : all_memory_spaces)
      for (const Operation operation : all_operations) {
        if (!row.row.is("memory", std::string(memstencil::name(space))) || act != name(operation))
          continue;
        if (registered && !huge && out.costs.count({operation, space}) > 0) continue;
        out.costs[{operation, space}] = {1e-6 * std::max(0.0, row.row.number("start_us")),
                                         1e-9 * std::max(0.0, row.row.number("ns_per_byte"))};
      }
  }
}

void take_exchange(const Rows& rows, MachineRates& out) {
  for (const ProbeRow& row : rows) {
    const double bytes = row.row.number("bytes"), gbs = row.row.number("gbs");
    if (fits(row, "exchange", {{"pattern", "neighbours"}}) && bytes > 0 && gbs > 0 &&
        std::isfinite(bytes / gbs))
      out.messages.push_back({.path = row.row.text("path"),
                              .between_nodes = row.row.number("nodes") > 1,
                              .bytes = bytes,
                              .seconds = bytes / (giga * gbs)});
  }
}

void take_gpu(const Record& gpu, MachineRates& out) {
  // Older results do not tell whether the site has switched the counters off.
  const bool node = find(gpu, "numa_node") != nullptr;
  const std::string kind = text(gpu, "address_translation");
  out.translation = Translation{
      .kind = kind,
      .gpu_node = node,
      .counters = kind == "ATS" && node && text_or(gpu, "counters_migrate", "true") == "true"};
  out.device_bytes = number(gpu, "memory_bytes");
  out.multiprocessors = static_cast<int>(number(gpu, "multiprocessors"));
}

}  // namespace

MachineRates probed_rates(const Run& run) {
  const Rows& rows = run.probe_rows;
  return naming(run, [&] {
    MachineRates out;
    if (const Record* gpu = find(run.record, "machine.gpu"); gpu != nullptr) take_gpu(*gpu, out);
    take_link(rows, out);
    take_migration(rows, out);
    take_pages(rows, out);
    take_exchange(rows, out);
    return out;
  });
}

std::map<std::string, MachineRates> probed_rates(const std::vector<const Run*>& runs) {
  std::map<std::string, MachineRates> rates;
  for (const auto& [gpu, of_gpu] : runs_of_probes(runs))
    for (const Run* run : of_gpu) rates[gpu] = overlay(rates[gpu], probed_rates(*run));
  return rates;
}

}  // namespace memstencil::compare::model
