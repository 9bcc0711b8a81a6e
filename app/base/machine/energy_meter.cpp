// Joules from counters, read at the start and at the stop; then those of all ranks, each source
// once.
#include "app/base/machine/energy.hpp"

#include "app/base/machine/host_energy.hpp"
#include "app/base/machine/host_facts.hpp"
#include "app/base/machine/nvml.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

namespace memstencil {

namespace metering {

/// The readings of one rank's source, from the start to the stop.
struct SourceReading : GpuClocks {
  std::string name;
  std::optional<double> joules;
};
void describe(Archive& a, SourceReading& reading) {
  a("name", reading.name);
  a("joules", reading.joules);
  describe(a, static_cast<GpuClocks&>(reading));
}

struct RankReading {
  double seconds = 0;
  std::string refused;
  std::optional<SourceReading> gpu, host;
};
void describe(Archive& a, RankReading& reading) {
  a("seconds", reading.seconds);
  a("refused", reading.refused);
  a("gpu", reading.gpu);
  a("host", reading.host);
}

}  // namespace metering

namespace {

using metering::RankReading;
using metering::SourceReading;
using Joules = std::optional<double>;

constexpr double least_seconds = 1;

Joules lower_known(const Joules& a, const Joules& b) {
  return a && b ? std::optional(std::min(*a, *b)) : (a ? a : b);
}

Joules joules_of(const std::optional<EnergySource>& source) {
  return source && source->joules ? source->joules() : std::nullopt;
}

std::optional<SourceReading> reading_of(const std::optional<EnergySource>& source,
                                        const Joules& before) {
  if (!source) return std::nullopt;
  const Joules now = joules_of(source);
  SourceReading reading{source->clocks ? source->clocks() : GpuClocks{}, source->name, {}};
  if (before && now) reading.joules = *now - *before;
  return reading;
}

void add(std::optional<Energy::Part>& part, const SourceReading& reading) {
  if (!part) part = Energy::Part{};  // not emplace(): Clang refuses it of nested structs
  ++part->count;
  part->joules = part->joules.value_or(0) + reading.joules.value_or(0);
  part->sm_clock_mhz = lower_known(part->sm_clock_mhz, reading.sm_clock_mhz);
  part->memory_clock_mhz = lower_known(part->memory_clock_mhz, reading.memory_clock_mhz);
  if (!reading.throttled) return;
  std::set<std::string> reasons(reading.throttled->begin(), reading.throttled->end());
  if (part->throttled) reasons.insert(part->throttled->begin(), part->throttled->end());
  part->throttled.emplace(reasons.begin(), reasons.end());
}

/// The first reason why the GPUs' joules are not known; empty if they are.
std::string refusal_of(const std::vector<RankReading>& ranks, double seconds) {
  for (const RankReading& rank : ranks)
    if (!rank.refused.empty()) return rank.refused;
  if (seconds < least_seconds)
    return fmt::format(
        "the timed part took {:.2f} s, and counters that are renewed every 20 to 100 ms need "
        "{:.0f} s",
        seconds, least_seconds);
  for (const RankReading& rank : ranks)
    if (rank.gpu && !rank.gpu->joules) return "the driver does not count the energy of this GPU";
  return {};
}

Energy energy_of(const std::vector<RankReading>& ranks) {
  Energy energy;
  std::set<std::string> seen;
  bool all_hosts = true, any = false;
  for (const RankReading& rank : ranks) {
    energy.seconds = std::max(energy.seconds, rank.seconds);
    any = any || rank.gpu || rank.host || !rank.refused.empty();
    if (rank.gpu && seen.insert(rank.gpu->name).second) add(energy.gpus, *rank.gpu);
    if (!rank.host || !seen.insert("host " + rank.host->name).second) continue;
    all_hosts = all_hosts && rank.host->joules;
    add(energy.hosts, *rank.host);
  }
  if (const std::string refused = refusal_of(ranks, energy.seconds); any && !refused.empty()) {
    energy.left_out = refused;
    if (energy.gpus) energy.gpus->joules.reset();  // that of some GPUs would pass for that of all
  }
  if (!all_hosts && !energy.gpus && !energy.left_out)
    energy.left_out = "a host's counter of joules may have begun anew";
  if (!all_hosts || energy.seconds < least_seconds) energy.hosts.reset();
  for (std::optional<Energy::Part>* part : {&energy.gpus, &energy.hosts})
    if (*part && (*part)->joules) (*part)->mean_watts = *(*part)->joules / energy.seconds;
  return energy;
}

GpuClocks clocks_of(const Nvml& nvml) {
  const Nvml::Clocks clocks = nvml.clocks();
  return {clocks.sm_mhz, clocks.memory_mhz, nvml.throttle_reasons()};
}

/// Null, and the reason in `refused`, where its driver does not answer.
std::optional<EnergySource> this_gpu(std::string& refused) {
  const std::string uuid = gpu_facts().uuid;
  const auto nvml = std::make_shared<const Nvml>(uuid);
  refused = nvml->refused();
  if (!refused.empty()) return std::nullopt;
  return EnergySource{.name = uuid,
                      .joules = [nvml] { return nvml->joules(); },
                      .clocks = [nvml] { return clocks_of(*nvml); }};
}

std::optional<EnergySource> this_host() {
  const auto energy = std::make_shared<HostEnergy>();
  if (!energy->readable()) return std::nullopt;
  return EnergySource{
      .name = host_name(), .joules = [energy] { return energy->joules(); }, .clocks = {}};
}

}  // namespace

std::optional<GpuClocks> clocks_of_gpu() {
  const std::string uuid = gpu_facts().uuid;
  if (uuid.empty()) return std::nullopt;
  const Nvml nvml(uuid);
  return nvml.refused().empty() ? std::optional(clocks_of(nvml)) : std::nullopt;
}

EnergyMeter::EnergyMeter(std::optional<EnergySource> gpu, std::optional<EnergySource> host,
                         std::string refused, const Communicator& communicator)
    : gpu_(std::move(gpu)),
      host_(std::move(host)),
      refused_(std::move(refused)),
      communicator_(communicator) {}

EnergyMeter::EnergyMeter(Executor executor, const Communicator& communicator)
    : EnergyMeter(std::nullopt, communicator.node_rank() == 0 ? this_host() : std::nullopt, "",
                  communicator) {
  if (executor == Executor::Device)
    gpu_ = this_gpu(refused_);
  else if (communicator.node_rank() == 0 && !host_)
    refused_ = "the host computes, and its counters of joules (RAPL) are not readable";
}

void EnergyMeter::start() {
  gpu_joules_ = joules_of(gpu_);
  host_joules_ = joules_of(host_);
  began_ = std::chrono::steady_clock::now();
}

Energy EnergyMeter::stop() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
  const RankReading mine{.seconds = elapsed.count(),
                         .refused = refused_,
                         .gpu = reading_of(gpu_, gpu_joules_),
                         .host = reading_of(host_, host_joules_)};
  std::vector<RankReading> ranks;
  // As to_json(): the words of a library need not be UTF-8.
  for (const std::string& each : communicator_.gather(to_json(to_record(mine))))
    ranks.push_back(from_record<RankReading>(Record::parse(each), "a rank"));
  return energy_of(ranks);
}

}  // namespace memstencil
