// Joules from counters, or from power that a thread samples; then those of
// all ranks, each source once.
#include "app/common/machine/energy.hpp"

#include "app/common/machine/host_facts.hpp"
#include "app/common/machine/host_power.hpp"
#include "app/common/machine/nvml.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <tuple>

namespace memstencil {

/// The state of the meter.
namespace metering {

using SteadyTime = std::chrono::steady_clock::time_point;
/// The readings of one rank's source.
struct SourceReading {
  std::string name, sensors, from;
  double joules = 0;
  std::optional<double> max_watts, sm_clock_mhz, memory_clock_mhz;
  std::vector<std::string> throttled;
};
void describe(Archive& a, SourceReading& reading) {
  a("name", reading.name);
  a("sensors", reading.sensors);
  a("from", reading.from);
  a("joules", reading.joules);
  a("max_watts", reading.max_watts);
  a("sm_clock_mhz", reading.sm_clock_mhz);
  a("memory_clock_mhz", reading.memory_clock_mhz);
  a("throttled", reading.throttled);
}

struct RankReading {
  std::string began;
  double seconds = 0;
  std::string refused;
  std::optional<SourceReading> gpu, host;
};
void describe(Archive& a, RankReading& reading) {
  a("began", reading.began);
  a("seconds", reading.seconds);
  a("refused", reading.refused);
  a("gpu", reading.gpu);
  a("host", reading.host);
}

/// One source from the start to the stop.
class Watched {
public:
  explicit Watched(PowerSource source) : source_(std::move(source)) {}

  void start() {
    watts_.clear();
    throttled_.clear();
    joules_ = source_.joules ? source_.joules() : std::nullopt;
  }
  void sample() {
    if (const auto watts = source_.watts ? source_.watts() : std::nullopt) watts_.push_back(*watts);
    see_throttling();
  }
  /// Nothing where the source told neither energy nor power.
  std::optional<SourceReading> stop(SteadyTime began) {
    see_throttling();
    const auto joules = source_.joules ? source_.joules() : std::nullopt;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began;
    SourceReading reading{.name = source_.name,
                          .sensors = source_.sensors,
                          .from = "counter",
                          .joules = joules.value_or(0) - joules_.value_or(0),
                          .max_watts = {},
                          .sm_clock_mhz = {},
                          .memory_clock_mhz = {},
                          .throttled = {throttled_.begin(), throttled_.end()}};
    if (!watts_.empty()) reading.max_watts = *std::max_element(watts_.begin(), watts_.end());
    if (source_.clocks) std::tie(reading.sm_clock_mhz, reading.memory_clock_mhz) = source_.clocks();
    if (joules && joules_) return reading;
    if (watts_.empty()) return std::nullopt;
    // Samples come at even times.
    const double sum = std::accumulate(watts_.begin(), watts_.end(), 0.0);
    reading.from = "power, integrated";
    reading.joules = sum / static_cast<double>(watts_.size()) * elapsed.count();
    return reading;
  }

private:
  void see_throttling() {
    if (!source_.throttle_reasons) return;
    for (const std::string& reason : source_.throttle_reasons()) throttled_.insert(reason);
  }

  PowerSource source_;
  std::optional<double> joules_;
  std::vector<double> watts_;
  std::set<std::string> throttled_;
};

}  // namespace metering

namespace {

using metering::RankReading;
using metering::SourceReading;

constexpr std::chrono::milliseconds sampling_interval(100);
constexpr double least_seconds = 1;

std::optional<double> sum_known(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::optional<double> lower_known(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(std::min(*a, *b)) : (a ? a : b);
}

/// "2026-11-22T20:00:00.125Z"
std::string utc_text(std::chrono::system_clock::time_point time) {
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count() % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)), milliseconds);
}

void add(std::optional<Energy::Part>& part, const SourceReading& reading, bool is_gpu) {
  const bool first = !part;
  if (first) part = Energy::Part{};  // not emplace(): Clang refuses it of nested structs
  ++part->count;
  part->joules = part->joules.value_or(0) + reading.joules;
  part->max_watts = first ? reading.max_watts : sum_known(part->max_watts, reading.max_watts);
  if (first || reading.from != "counter") part->from = reading.from;
  if (first && !reading.sensors.empty()) part->sensors = reading.sensors;
  if (!is_gpu) return;
  part->sm_clock_mhz = lower_known(part->sm_clock_mhz, reading.sm_clock_mhz);
  part->memory_clock_mhz = lower_known(part->memory_clock_mhz, reading.memory_clock_mhz);
  std::set<std::string> reasons(reading.throttled.begin(), reading.throttled.end());
  if (part->throttled) reasons.insert(part->throttled->begin(), part->throttled->end());
  part->throttled.emplace(reasons.begin(), reasons.end());
}

Energy energy_of(const std::vector<RankReading>& ranks) {
  Energy energy;
  std::set<std::string> seen;
  std::string refused;
  for (const RankReading& rank : ranks) {
    if (energy.began.empty()) energy.began = rank.began;
    energy.seconds = std::max(energy.seconds, rank.seconds);
    if (refused.empty()) refused = rank.refused;
    if (rank.gpu && seen.insert(rank.gpu->name).second) add(energy.gpus, *rank.gpu, true);
    if (rank.host && seen.insert("host " + rank.host->name).second)
      add(energy.hosts, *rank.host, false);
  }
  // The energy of some GPUs would pass for that of all.
  if (!refused.empty()) energy.gpus.reset();
  if (energy.seconds < least_seconds && (energy.gpus || energy.hosts)) {
    if (energy.gpus) {
      energy.gpus->joules.reset();
      energy.gpus->max_watts.reset();
    }
    energy.hosts.reset();
    refused = fmt::format(
        "the timed part took {:.2f} s, and meters that are renewed every 20 "
        "to 100 ms need {:.0f} s",
        energy.seconds, least_seconds);
  }
  if (!refused.empty()) energy.left_out = refused;
  for (std::optional<Energy::Part>* part : {&energy.gpus, &energy.hosts})
    if (*part && (*part)->joules) (*part)->mean_watts = *(*part)->joules / energy.seconds;
  return energy;
}

/// Null, and the reason in `refused`, where its driver does not answer.
std::optional<PowerSource> this_gpu(std::string& refused) {
  const std::string uuid = gpu_facts().uuid;
  const auto nvml = std::make_shared<const Nvml>(uuid);
  refused = nvml->refused();
  if (!refused.empty()) return std::nullopt;
  return PowerSource{.name = uuid,
                     .sensors = {},
                     .joules = [nvml] { return nvml->joules(); },
                     .watts = [nvml] { return nvml->watts(); },
                     .throttle_reasons = [nvml] { return nvml->throttle_reasons(); },
                     .clocks =
                         [nvml] {
                           const Nvml::Clocks clocks = nvml->clocks();
                           return std::pair(clocks.sm_mhz, clocks.memory_mhz);
                         }};
}

std::optional<PowerSource> this_host() {
  const auto power = std::make_shared<const HostPower>();
  if (power->sensors().empty()) return std::nullopt;
  return PowerSource{.name = host_name(),
                     .sensors = power->sensors(),
                     .joules = [power] { return power->joules(); },
                     .watts = [power] { return power->watts(); },
                     .throttle_reasons = {},
                     .clocks = {}};
}

}  // namespace

struct EnergyMeter::Sampler {
  std::optional<metering::Watched> gpu, host;
  metering::SteadyTime began = {};
  std::chrono::system_clock::time_point time = {};
  std::jthread thread = {};

  void each(void (metering::Watched::*step)()) {
    for (std::optional<metering::Watched>* one : {&gpu, &host})
      if (*one) ((**one).*step)();
  }
  void start() {
    each(&metering::Watched::start);
    time = std::chrono::system_clock::now();
    began = std::chrono::steady_clock::now();
    if (!gpu && !host) return;
    thread = std::jthread([this](const std::stop_token& stopped) {
      std::mutex mutex;
      std::condition_variable_any wake;
      std::unique_lock lock(mutex);
      for (metering::SteadyTime next = began;;) {
        next += sampling_interval;
        wake.wait_until(lock, stopped, next, [] { return false; });
        if (stopped.stop_requested()) return;
        each(&metering::Watched::sample);
      }
    });
  }
  void join() {
    if (!thread.joinable()) return;
    thread.request_stop();
    thread.join();
  }
};

EnergyMeter::EnergyMeter(std::optional<PowerSource> gpu, std::optional<PowerSource> host,
                         std::string refused, const Communicator& communicator)
    : sampler_(std::make_unique<Sampler>()),
      refused_(std::move(refused)),
      communicator_(communicator) {
  if (gpu) sampler_->gpu.emplace(std::move(*gpu));
  if (host) sampler_->host.emplace(std::move(*host));
}

EnergyMeter::EnergyMeter(Executor executor, const Communicator& communicator)
    : EnergyMeter(std::nullopt, communicator.node_rank() == 0 ? this_host() : std::nullopt, "",
                  communicator) {
  if (executor == Executor::Host) {
    if (communicator.node_rank() == 0 && !sampler_->host)
      refused_ = "the host computes, and has no sensor of its power that is readable (hwmon)";
  } else if (auto gpu = this_gpu(refused_)) {
    sampler_->gpu.emplace(std::move(*gpu));
  }
}

EnergyMeter::~EnergyMeter() = default;

void EnergyMeter::start() { sampler_->start(); }

Energy EnergyMeter::stop() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - sampler_->began;
  sampler_->join();
  RankReading mine{.began = utc_text(sampler_->time),
                   .seconds = elapsed.count(),
                   .refused = refused_,
                   .gpu = {},
                   .host = {}};
  if (sampler_->gpu) {
    mine.gpu = sampler_->gpu->stop(sampler_->began);
    if (!mine.gpu && elapsed.count() >= least_seconds)
      mine.refused = "the driver tells neither the energy nor the power of this GPU";
  }
  if (sampler_->host) mine.host = sampler_->host->stop(sampler_->began);
  std::vector<RankReading> ranks;
  for (const std::string& each : communicator_.gather(to_record(mine).dump()))
    ranks.push_back(from_record<RankReading>(Record::parse(each), "a rank"));
  return energy_of(ranks);
}

}  // namespace memstencil
