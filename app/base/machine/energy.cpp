// The energy of a run's timed part: joules from counters, read at the start and at the stop, those
// of all ranks, each source once; as a record, and as text.
#include "app/base/machine/energy.hpp"

#include "app/base/machine/host_energy.hpp"
#include "app/base/machine/host_facts.hpp"
#include "app/base/record/gathered.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

namespace memstencil {

namespace {

std::string text(const Energy::Part& part) {
  std::string text =
      fmt::format("{:.5g} J, mean {:.4g} W", part.joules.value_or(0), part.mean_watts.value_or(0));
  if (part.joules_per_iteration)
    text += fmt::format(", {:.4g} J an iteration", *part.joules_per_iteration);
  if (part.gflops_per_watt) text += fmt::format(", {:.3g} GFLOPS/W", *part.gflops_per_watt);
  return text;
}

std::string title(const char* one, const Energy::Part& part) {
  return part.count == 1 ? fmt::format("energy of the {}", one)
                         : fmt::format("energy of {} {}s", part.count, one);
}

using Joules = std::optional<double>;

constexpr double least_seconds = 1;

Joules lower_known(const Joules& a, const Joules& b) {
  return a && b ? std::optional(std::min(*a, *b)) : (a ? a : b);
}

Joules joules_of(const std::optional<EnergySource>& source) {
  return source && source->joules ? source->joules() : std::nullopt;
}

void add(std::optional<Energy::Part>& all, const Energy::Part& one) {
  if (!all) all = Energy::Part{};  // not emplace(): Clang refuses it of nested structs
  ++all->count;
  all->joules = all->joules.value_or(0) + one.joules.value_or(0);
  all->sm_clock_mhz = lower_known(all->sm_clock_mhz, one.sm_clock_mhz);
  all->memory_clock_mhz = lower_known(all->memory_clock_mhz, one.memory_clock_mhz);
  if (!one.throttled) return;
  std::set<std::string> reasons(one.throttled->begin(), one.throttled->end());
  if (all->throttled) reasons.insert(all->throttled->begin(), all->throttled->end());
  all->throttled.emplace(reasons.begin(), reasons.end());
}

}  // namespace

void describe(Archive& a, GpuClocks& clocks) {
  a.optional("sm_clock_mhz", clocks.sm_clock_mhz);
  a.optional("memory_clock_mhz", clocks.memory_clock_mhz);
  a.optional("throttled", clocks.throttled);
}

void describe(Archive& a, Energy::Part& part) {
  a("count", part.count);
  a("joules", part.joules);
  a("mean_watts", part.mean_watts);
  a("joules_per_iteration", part.joules_per_iteration);
  a.optional("gflops_per_watt", part.gflops_per_watt);
  describe(a, static_cast<GpuClocks&>(part));
}

void describe(Archive& a, Energy& energy) {
  a("seconds", energy.seconds);
  a.optional("left_out", energy.left_out);
  a.optional("gpus", energy.gpus);
  a.optional("hosts", energy.hosts);
}

void Energy::divide(double iterations, double flops_of_one) {
  for (std::optional<Part>* part : {&gpus, &hosts}) {
    if (!*part || !(*part)->joules) continue;
    const double joules = *(*part)->joules;
    (*part)->joules_per_iteration = joules / iterations;
    if (flops_of_one > 0 && joules > 0)
      (*part)->gflops_per_watt = iterations * flops_of_one / joules * 1e-9;
  }
}

std::string clocks_text(const GpuClocks& clocks) {
  const auto mhz = [](const std::optional<double>& clock) {
    return clock ? fmt::format("{:.0f} MHz", *clock) : std::string("not known");
  };
  std::string text = fmt::format("SM {}, memory {} at the end", mhz(clocks.sm_clock_mhz),
                                 mhz(clocks.memory_clock_mhz));
  if (clocks.throttled && !clocks.throttled->empty())
    text += fmt::format("; throttled: {}", fmt::join(*clocks.throttled, ", "));
  return text;
}

std::vector<std::pair<std::string, std::string>> lines_of(const Energy& energy) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (energy.left_out) lines.emplace_back("energy", "left out: " + *energy.left_out);
  if (energy.gpus) {
    if (energy.gpus->joules) lines.emplace_back(title("GPU", *energy.gpus), text(*energy.gpus));
    lines.emplace_back("clocks", clocks_text(*energy.gpus));
  }
  if (energy.hosts) lines.emplace_back(title("host", *energy.hosts), text(*energy.hosts));
  return lines;
}

namespace metering {

/// What one rank has read.
struct Reading {
  double seconds = 0;
  std::string refused, gpu_name, host_name;
  std::optional<Energy::Part> gpu, host;
};
void describe(Archive& a, Reading& reading) {
  a("seconds", reading.seconds);
  a("refused", reading.refused);
  a("gpu_name", reading.gpu_name);
  a("host_name", reading.host_name);
  a("gpu", reading.gpu);
  a("host", reading.host);
}

}  // namespace metering

namespace {

using metering::Reading;

std::optional<Energy::Part> part_of(const std::optional<EnergySource>& source,
                                    const Joules& before) {
  if (!source) return std::nullopt;
  Energy::Part part;
  part.count = 1;
  if (const Joules now = joules_of(source); now && before) part.joules = *now - *before;
  if (source->clocks) static_cast<GpuClocks&>(part) = source->clocks();
  return part;
}

/// The first reason why the GPUs' joules are not known; empty if they are.
std::string refusal_of(const std::vector<Reading>& ranks, double seconds) {
  for (const Reading& rank : ranks)
    if (!rank.refused.empty()) return rank.refused;
  if (seconds < least_seconds)
    return fmt::format(
        "the timed part took {:.2f} s, and counters that are renewed every 20 to 100 ms need "
        "{:.0f} s",
        seconds, least_seconds);
  for (const Reading& rank : ranks)
    if (rank.gpu && !rank.gpu->joules) return "the driver does not count the energy of this GPU";
  return {};
}

Energy energy_of(const std::vector<Reading>& ranks) {
  Energy energy;
  std::set<std::string> gpus, hosts;
  bool all_hosts = true, any = false;
  for (const Reading& rank : ranks) {
    energy.seconds = std::max(energy.seconds, rank.seconds);
    any = any || rank.gpu || rank.host || !rank.refused.empty();
    if (rank.gpu && gpus.insert(rank.gpu_name).second) add(energy.gpus, *rank.gpu);
    if (!rank.host || !hosts.insert(rank.host_name).second) continue;
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

/// Null, and the reason in `refused`, where its driver does not answer.
std::optional<EnergySource> this_gpu(std::string& refused) {
  const auto nvml = std::make_shared<const Nvml>(gpu_facts().uuid);
  refused = nvml->refused();
  if (!refused.empty()) return std::nullopt;
  return EnergySource{.name = gpu_facts().uuid,
                      .joules = [nvml] { return nvml->joules(); },
                      .clocks = [nvml] { return nvml->clocks(); }};
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
  return nvml.refused().empty() ? std::optional(nvml.clocks()) : std::nullopt;
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
  return energy_of(gathered(communicator_, Reading{.seconds = elapsed.count(),
                                                   .refused = refused_,
                                                   .gpu_name = gpu_ ? gpu_->name : "",
                                                   .host_name = host_ ? host_->name : "",
                                                   .gpu = part_of(gpu_, gpu_joules_),
                                                   .host = part_of(host_, host_joules_)}));
}

}  // namespace memstencil
