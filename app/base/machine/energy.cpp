// The energy of a run's timed part: joules from counters, read at the start and at the stop, those
// of all ranks, each source once; as a record, and as text.
#include "app/base/machine/energy.hpp"

#include "app/base/machine/machine_facts.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <set>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

using Joules = std::optional<double>;

constexpr double least_seconds = 1;
constexpr double micro = 1e-6;

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

Joules counter_in(const fs::path& path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

/// What a rank has read of its GPU, or of its host; null where it has none.
Record reading(const std::optional<EnergySource>& source) {
  if (!source) return nullptr;
  const auto& [sm_clock_mhz, memory_clock_mhz, throttled] =
      source->clocks ? source->clocks() : GpuClocks{};
  Record read;
  Archive clocks(read);
  MEMSTENCIL_MEMBERS(clocks, sm_clock_mhz, memory_clock_mhz, throttled);
  const Joules now = source->joules();
  read["name"] = source->name;
  read["joules"] = now && source->before ? Record(*now - *source->before) : Record();
  return read;
}

/// Takes the clock where it is the lowest.
void lower(std::optional<double>& lowest, const Record& source, const char* clock) {
  if (source.contains(clock))
    lowest = std::min(lowest.value_or(source[clock]), source[clock].get<double>());
}

/// All sources of a kind that the ranks have read, each once. Joules of some would pass for those
/// of all: they have no value where one has none.
std::optional<Energy::Part> sum_of(const std::vector<Record>& ranks, const char* kind) {
  std::map<std::string, Record> sources;
  for (const Record& rank : ranks)
    if (!rank[kind].is_null()) sources.emplace(rank[kind]["name"], rank[kind]);
  if (sources.empty()) return std::nullopt;
  Energy::Part all;
  all.count = static_cast<int>(sources.size());
  all.joules = 0;
  std::set<std::string> reasons;
  for (const auto& [name, source] : sources) {
    if (all.joules && !source["joules"].is_null())
      *all.joules += source["joules"].get<double>();
    else
      all.joules.reset();
    lower(all.sm_clock_mhz, source, "sm_clock_mhz");
    lower(all.memory_clock_mhz, source, "memory_clock_mhz");
    if (!source.contains("throttled")) continue;
    for (const Record& reason : source["throttled"]) reasons.insert(reason);
    all.throttled.emplace(reasons.begin(), reasons.end());
  }
  return all;
}

/// Why the joules are left out; empty if they are not.
std::string refusal_of(const Energy& energy) {
  if (!energy.gpus && !energy.hosts) return {};
  if (energy.seconds < least_seconds)
    return fmt::format(
        "the timed part took {:.2f} s, and counters that are renewed every 20 to 100 ms need "
        "{:.0f} s",
        energy.seconds, least_seconds);
  if (energy.gpus)
    return energy.gpus->joules ? "" : "the driver does not count the energy of this GPU";
  return energy.hosts->joules ? "" : "a host's counter of joules may have begun anew";
}

Energy energy_of(const std::vector<Record>& ranks) {
  Energy energy;
  energy.gpus = sum_of(ranks, "gpu");
  energy.hosts = sum_of(ranks, "host");
  std::string refused;
  for (const Record& rank : ranks) {
    energy.seconds = std::max(energy.seconds, rank["seconds"].get<double>());
    if (refused.empty()) refused = rank["refused"];
  }
  if (refused.empty()) refused = refusal_of(energy);
  if (!refused.empty()) {
    energy.left_out = refused;
    if (energy.gpus) energy.gpus->joules.reset();
  }
  if (energy.hosts && (!energy.hosts->joules || energy.seconds < least_seconds))
    energy.hosts.reset();
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

void Energy::Part::describe(Archive& a) const {
  a("count", count);
  a("joules", joules);
  a("mean_watts", mean_watts);
  a("joules_per_iteration", joules_per_iteration);
  MEMSTENCIL_MEMBERS(a, gflops_per_watt, sm_clock_mhz, memory_clock_mhz, throttled);
}

void Energy::divide(double iterations, double flops_of_one) {
  for (std::optional<Part>* part : {&gpus, &hosts}) {
    if (!*part || !(*part)->joules) continue;
    const double joules = *(*part)->joules;
    (*part)->joules_per_iteration = joules / iterations;
    // Where GPUs compute, the operations are not the hosts'.
    const bool computes = part == &gpus || !gpus;
    if (computes && flops_of_one > 0 && joules > 0)
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

HostEnergy::HostEnergy(const fs::path& root) {
  std::error_code none;
  for (const auto& zone : fs::directory_iterator(root / "sys/class/powercap", none)) {
    if (!first_line(zone.path() / "name").value_or("").starts_with("package-")) continue;
    const auto range = counter_in(zone.path() / "max_energy_range_uj");
    if (!range || !counter_in(zone.path() / "energy_uj")) {
      packages_.clear();  // the energy of some packages would pass for that of all
      return;
    }
    packages_.push_back({zone.path() / "energy_uj", *range});
  }
}

std::optional<double> HostEnergy::joules(Clock::time_point now) {
  constexpr double most_watts = 1000;  // no package draws more
  const double seconds = before_ ? std::chrono::duration<double>(now - *before_).count() : 0.0;
  for (Package& package : packages_) {
    const auto read = counter_in(package.counter);
    if (!read || seconds * most_watts > package.range * micro) return std::nullopt;
    const double passed = *read - package.last;
    if (before_) joules_ += (passed < 0 ? passed + package.range : passed) * micro;
    package.last = *read;
  }
  before_ = now;
  return readable() ? std::optional(joules_) : std::nullopt;
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
  for (std::optional<EnergySource>* source : {&gpu_, &host_})
    if (*source) (*source)->before = (*source)->joules();
  began_ = std::chrono::steady_clock::now();
}

Energy EnergyMeter::stop() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
  return energy_of(gathered(communicator_, {{"seconds", elapsed.count()},
                                            {"refused", refused_},
                                            {"gpu", reading(gpu_)},
                                            {"host", reading(host_)}}));
}

}  // namespace memstencil
