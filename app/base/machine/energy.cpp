// The energy of a run's timed part: joules of all ranks' GPUs, each once, from counters that are
// read at the start and at the stop; as a record, and as text.
#include "app/base/machine/energy.hpp"

#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace memstencil {

namespace {

constexpr double least_seconds = 1;

std::string text(const Energy::Gpus& gpus) {
  std::string text =
      fmt::format("{:.5g} J, mean {:.4g} W", gpus.joules.value_or(0), gpus.mean_watts.value_or(0));
  if (gpus.joules_per_iteration)
    text += fmt::format(", {:.4g} J an iteration", *gpus.joules_per_iteration);
  if (gpus.gflops_per_watt) text += fmt::format(", {:.3g} GFLOPS/W", *gpus.gflops_per_watt);
  return text;
}

/// "SM 1755 MHz, memory 3200 MHz at the end; throttled: power cap"
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

/// A rank's reading of its GPU; null if it has none.
Record reading(const std::optional<EnergySource>& source) {
  if (!source) return nullptr;
  Record read = source->clocks();
  const std::optional<double> now = source->joules();
  read["name"] = source->name;
  read["joules"] = now && source->before ? Record(*now - *source->before) : Record();
  return read;
}

/// Takes the clock if it is the lowest.
void lower(std::optional<double>& lowest, const Record& gpu, const char* clock) {
  if (gpu.contains(clock)) lowest = std::min(lowest.value_or(gpu[clock]), gpu[clock].get<double>());
}

/// All GPUs that the ranks have read, each once. Joules of some would pass for those of all: there
/// are none if one GPU has none.
std::optional<Energy::Gpus> sum_of(const std::vector<Record>& ranks) {
  std::map<std::string, Record> gpus;
  for (const Record& rank : ranks)
    if (!rank["gpu"].is_null()) gpus.emplace(rank["gpu"]["name"], rank["gpu"]);
  if (gpus.empty()) return std::nullopt;
  Energy::Gpus all;
  all.count = static_cast<int>(gpus.size());
  all.joules = 0;
  std::set<std::string> reasons;
  for (const auto& [name, gpu] : gpus) {
    if (all.joules && !gpu["joules"].is_null())
      *all.joules += gpu["joules"].get<double>();
    else
      all.joules.reset();
    lower(all.sm_clock_mhz, gpu, "sm_clock_mhz");
    lower(all.memory_clock_mhz, gpu, "memory_clock_mhz");
    if (!gpu.contains("throttled")) continue;
    for (const Record& reason : gpu["throttled"]) reasons.insert(reason);
    all.throttled.emplace(reasons.begin(), reasons.end());
  }
  return all;
}

/// The reason why joules are left out; empty if they are not.
std::string refusal_of(const Energy& energy) {
  if (energy.seconds < least_seconds)
    return fmt::format(
        "the timed part took {:.2f} s, and counters that are renewed every 20 to 100 ms need "
        "{:.0f} s",
        energy.seconds, least_seconds);
  return energy.gpus->joules ? "" : "the driver does not count the energy of this GPU";
}

std::optional<Energy> energy_of(const std::vector<Record>& ranks) {
  Energy energy;
  energy.gpus = sum_of(ranks);
  std::string refused;
  for (const Record& rank : ranks) {
    energy.seconds = std::max(energy.seconds, rank["seconds"].get<double>());
    if (refused.empty()) refused = rank["refused"];
  }
  if (!energy.gpus && refused.empty()) return std::nullopt;
  if (refused.empty()) refused = refusal_of(energy);
  if (!refused.empty()) energy.left_out = refused;
  if (!energy.gpus) return energy;
  if (energy.left_out) energy.gpus->joules.reset();
  if (energy.gpus->joules) energy.gpus->mean_watts = *energy.gpus->joules / energy.seconds;
  return energy;
}

}  // namespace

void Energy::Gpus::describe(Archive& a) const {
  a("count", count);
  a("joules", joules);
  a("mean_watts", mean_watts);
  a("joules_per_iteration", joules_per_iteration);
  MEMSTENCIL_MEMBERS(a, gflops_per_watt, sm_clock_mhz, memory_clock_mhz, throttled);
}

void Energy::divide(double iterations, double flops_of_one) {
  if (!gpus || !gpus->joules) return;
  gpus->joules_per_iteration = *gpus->joules / iterations;
  if (flops_of_one > 0 && *gpus->joules > 0)
    gpus->gflops_per_watt = iterations * flops_of_one / *gpus->joules * 1e-9;
}

Lines lines_of(const Energy& energy) {
  Lines lines;
  if (energy.left_out) lines.emplace_back("energy", "left out: " + *energy.left_out);
  if (!energy.gpus) return lines;
  const int count = energy.gpus->count;
  if (energy.gpus->joules)
    lines.emplace_back(count == 1 ? "energy of the GPU" : fmt::format("energy of {} GPUs", count),
                       text(*energy.gpus), true);
  lines.emplace_back("clocks", clocks_text(*energy.gpus), energy.throttled());
  return lines;
}

EnergyMeter::EnergyMeter(Executor executor, const Communicator& communicator)
    : communicator_(communicator) {
  if (executor != Executor::Device) return;
  const std::string uuid = gpu_facts().uuid;
  const auto nvml = std::make_shared<const Nvml>(uuid);
  refused_ = nvml->refused();
  if (refused_.empty())
    gpu_ = EnergySource{.name = uuid,
                        .joules = [nvml] { return nvml->joules(); },
                        .clocks = [nvml] { return nvml->clocks(); }};
}

void EnergyMeter::start() {
  if (gpu_) gpu_->before = gpu_->joules();
  began_ = std::chrono::steady_clock::now();
}

std::optional<Energy> EnergyMeter::stop() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
  return energy_of(
      gathered(communicator_,
               {{"seconds", elapsed.count()}, {"refused", refused_}, {"gpu", reading(gpu_)}}));
}

}  // namespace memstencil
