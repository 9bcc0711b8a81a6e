// The energy of a run's timed part: joules from the GPUs' counters, read at the start and at the
// stop, those of all ranks, each GPU once; as a record, and as text.
#include "app/base/machine/energy.hpp"

#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

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

/// Takes the clock where it is the lowest.
void lower(std::optional<double>& lowest, const Record& gpu, const char* clock) {
  if (gpu.contains(clock)) lowest = std::min(lowest.value_or(gpu[clock]), gpu[clock].get<double>());
}

/// Joules of some GPUs would pass for those of all: they have no value where one has none.
Energy::Gpus sum_of(const std::map<std::string, Record>& by_name) {
  Energy::Gpus all;
  all.count = static_cast<int>(by_name.size());
  all.joules = 0;
  std::set<std::string> reasons;
  for (const auto& [name, gpu] : by_name) {
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

/// @param ranks each one's seconds, its GPU's reading or null, and why it has none
Energy energy_of(const std::vector<Record>& ranks) {
  Energy energy;
  std::string refused;
  std::map<std::string, Record> by_name;
  for (const Record& rank : ranks) {
    energy.seconds = std::max(energy.seconds, rank["seconds"].get<double>());
    if (refused.empty()) refused = rank["refused"];
    if (!rank["gpu"].is_null()) by_name.emplace(rank["gpu"]["name"], rank["gpu"]);
  }
  if (!by_name.empty()) energy.gpus = sum_of(by_name);
  if (refused.empty() && energy.seconds < least_seconds)
    refused = fmt::format(
        "the timed part took {:.2f} s, and counters that are renewed every 20 to 100 ms need "
        "{:.0f} s",
        energy.seconds, least_seconds);
  if (refused.empty() && !(energy.gpus && energy.gpus->joules))
    refused = "the driver does not count the energy of this GPU";
  if (refused.empty()) {
    energy.gpus->mean_watts = *energy.gpus->joules / energy.seconds;
  } else {
    energy.left_out = refused;
    if (energy.gpus) energy.gpus->joules.reset();
  }
  return energy;
}

/// Nothing, and the reason in `refused`, where its driver does not answer.
std::optional<EnergySource> this_gpu(std::string& refused) {
  const auto nvml = std::make_shared<const Nvml>(gpu_facts().uuid);
  refused = nvml->refused();
  if (!refused.empty()) return std::nullopt;
  return EnergySource{.name = gpu_facts().uuid,
                      .joules = [nvml] { return nvml->joules(); },
                      .clocks = [nvml] { return nvml->clocks(); }};
}

}  // namespace

void describe(Archive& a, GpuClocks& clocks) {
  a.optional("sm_clock_mhz", clocks.sm_clock_mhz);
  a.optional("memory_clock_mhz", clocks.memory_clock_mhz);
  a.optional("throttled", clocks.throttled);
}

void describe(Archive& a, Energy::Gpus& gpus) {
  a("count", gpus.count);
  a("joules", gpus.joules);
  a("mean_watts", gpus.mean_watts);
  a("joules_per_iteration", gpus.joules_per_iteration);
  a.optional("gflops_per_watt", gpus.gflops_per_watt);
  describe(a, static_cast<GpuClocks&>(gpus));
}

void describe(Archive& a, Energy& energy) {
  a("seconds", energy.seconds);
  a.optional("left_out", energy.left_out);
  a.optional("gpus", energy.gpus);
}

void Energy::divide(double iterations, double flops_of_one) {
  if (!gpus || !gpus->joules) return;
  gpus->joules_per_iteration = *gpus->joules / iterations;
  if (flops_of_one > 0 && *gpus->joules > 0)
    gpus->gflops_per_watt = iterations * flops_of_one / *gpus->joules * 1e-9;
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

Lines lines_of(const Energy& energy) {
  Lines lines;
  if (energy.left_out) lines.emplace_back("energy", "left out: " + *energy.left_out);
  if (!energy.gpus) return lines;
  const Energy::Gpus& gpus = *energy.gpus;
  if (gpus.joules)
    lines.emplace_back(
        "energy of " + (gpus.count == 1 ? "the GPU" : fmt::format("{} GPUs", gpus.count)),
        text(gpus));
  lines.emplace_back("clocks", clocks_text(gpus));
  return lines;
}

std::optional<GpuClocks> clocks_of_gpu() {
  std::string refused;
  const auto gpu = gpu_facts().uuid.empty() ? std::nullopt : this_gpu(refused);
  return gpu ? std::optional(gpu->clocks()) : std::nullopt;
}

EnergyMeter::EnergyMeter(Executor executor, const Communicator& communicator)
    : EnergyMeter(std::nullopt, "the host computes, and only GPUs' energy is measured",
                  communicator) {
  if (executor == Executor::Device) gpu_ = this_gpu(refused_);
}

void EnergyMeter::start() {
  if (gpu_) joules_before_ = gpu_->joules();
  began_ = std::chrono::steady_clock::now();
}

Energy EnergyMeter::stop() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
  Record gpu;
  if (gpu_) {
    const std::optional<double> now = gpu_->joules();
    gpu = to_record(gpu_->clocks());
    gpu["name"] = gpu_->name;
    gpu["joules"] = now && joules_before_ ? Record(*now - *joules_before_) : Record();
  }
  return energy_of(
      gathered(communicator_, {{"seconds", elapsed.count()}, {"refused", refused_}, {"gpu", gpu}}));
}

}  // namespace memstencil
