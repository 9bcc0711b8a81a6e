// The rates of a machine that membench has measured.
#include "app/compare/predict/rates.hpp"

namespace memstencil::compare::model {

namespace {

using Rows = std::vector<ProbeRow>;

/// Of two phases the mean: one array has to move in the first, two in the second.
void take_bandwidths(const Rows& rows, MachineRates& out) {
  const std::pair<const char*, Wanted> links[]{
      {"host_copy", {{"direction", "host copy"}, {"by", "vectorised"}}},
      {"device_copy", {{"direction", "device copy"}, {"by", "kernel"}}},
      {"link_to_device", {{"direction", "HtoD"}, {"memory", "pinned"}, {"by", "copy engine"}}},
      {"link_to_host", {{"direction", "DtoH"}, {"memory", "pinned"}, {"by", "copy engine"}}},
      {"device_reads_host", {{"direction", "HtoD"}, {"memory", "pinned"}, {"by", "kernel"}}},
      {"device_writes_host", {{"direction", "DtoH"}, {"memory", "pinned"}, {"by", "kernel"}}}};
  const std::array<const char*, 4> moves[]{
      {"faults_to_device", "plain", "device 1", "moved_gbs"},
      {"faults_to_device", "plain", "device 2", "moved_gbs"},
      {"faults_to_host", "plain", "host", "moved_gbs"},
      {"prefetch_to_device", "prefetch", "device 1", "prefetch_gbs"},
      {"prefetch_to_device", "prefetch", "device 2", "prefetch_gbs"}};
  std::map<std::string, std::vector<double>> all;  // GB/s
  for (const auto& [rate, wanted] : links)
    if (const ProbeRow* row = largest(rows, "link", wanted)) all[rate].push_back(row->value);
  for (const auto& [rate, mode, phase, column] : moves) {
    const ProbeRow* row =
        largest(rows, "migration", {{"memory", "managed"}, {"mode", mode}, {"phase", phase}});
    if (row != nullptr && row->row.number(column) > 0) all[rate].push_back(row->row.number(column));
  }
  if (const auto gbs = both_ways_gbs(rows)) all["link_both_ways"].push_back(*gbs);
  for (const auto& [rate, gbs] : all)
    out.rates[rate] = {
        std::accumulate(gbs.begin(), gbs.end(), 0.0) / static_cast<double>(gbs.size()) * giga,
        "membench"};
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
  if (!std::isfinite(seconds_a_byte)) return;
  out.rates["counter_migration"] = {1 / (seconds_a_byte * giga) * giga, "membench"};
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
    const auto space = memory_space_from_name(row.row.text("memory"));
    if (std::ranges::count(operations, act) == 0 || !space) continue;
    const std::pair of{act, *space};
    if (registered && !huge && out.costs.contains(of)) continue;
    out.costs[of] = {1e-6 * std::max(0.0, row.row.number("start_us")),
                     1e-9 * std::max(0.0, row.row.number("ns_per_byte"))};
  }
}

/// Exchanges of a rank with its neighbours: the latency of the smallest message, and the rate of
/// the largest of at most 4 MiB, as halos are.
void take_exchange(const Rows& rows, MachineRates& out) {
  constexpr double halo_bytes = 4 << 20;
  std::map<std::pair<std::string, bool>, std::map<double, double>> seconds;  // by bytes
  for (const ProbeRow& row : rows) {
    const double bytes = row.row.number("bytes"), gbs = row.row.number("gbs");
    if (fits(row, "exchange", {{"pattern", "neighbours"}}) && bytes > 0 && gbs > 0 &&
        std::isfinite(bytes / gbs) && bytes <= halo_bytes)
      seconds[{row.row.text("path"), row.row.number("nodes") > 1}][bytes] = bytes / (giga * gbs);
  }
  for (const auto& [path, of_bytes] : seconds) {
    const auto& [least, latency] = *of_bytes.begin();
    const auto& [most, longest] = *of_bytes.rbegin();
    if (most > least) out.paths[path] = {latency, most / std::max(1e-9, longest - latency)};
  }
}

void take_gpu(const Record& gpu, MachineRates& out) {
  // Older results do not tell whether the site has switched the counters off.
  const bool node = find(gpu, "numa_node") != nullptr;
  const std::string kind = text_or(gpu, "address_translation", "none");
  out.translation = Translation{
      .kind = kind,
      .gpu_node = node,
      .counters = kind == "ATS" && node && text_or(gpu, "counters_migrate", "true") == "true"};
  out.device_bytes = number_if(gpu, "memory_bytes");
  out.multiprocessors = static_cast<int>(number(gpu, "multiprocessors"));
}

}  // namespace

MachineRates probed_rates(const Run& run) {
  const Rows& rows = run.probe_rows;
  return naming(run, [&] {
    MachineRates out;
    if (const Record* gpu = find(run.record, "machine.gpu"); gpu != nullptr) take_gpu(*gpu, out);
    take_bandwidths(rows, out);
    take_counters(rows, out);
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
