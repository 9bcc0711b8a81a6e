// A GPU while something runs on it: its clocks, power and temperature, looked at again and again.
#include "app/membench/core/gpu_watch.hpp"

#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace memstencil::membench {

namespace {

std::optional<Spread> spread_of(const std::vector<GpuMoment>& moments,
                                std::optional<double> GpuMoment::*value) {
  std::vector<double> values;
  for (const GpuMoment& each : moments)
    if (each.*value) values.push_back(*(each.*value));
  return values.empty() ? std::nullopt : std::optional(memstencil::spread_of(values));
}

}  // namespace

GpuCourse course_of(const std::vector<GpuMoment>& moments) {
  GpuCourse course{.looks = std::ssize(moments),
                   .sm_clock_mhz = spread_of(moments, &GpuMoment::sm_clock_mhz),
                   .memory_clock_mhz = spread_of(moments, &GpuMoment::memory_clock_mhz),
                   .watts = spread_of(moments, &GpuMoment::watts),
                   .celsius = spread_of(moments, &GpuMoment::celsius),
                   .held_down = {}};
  std::map<std::string, double> shares;
  for (const GpuMoment& each : moments) {
    if (!each.throttled) continue;
    for (const std::string& reason : *each.throttled)
      shares[reason] += 1 / static_cast<double>(moments.size());
    course.held_down.emplace(shares.begin(), shares.end());
  }
  return course;
}

std::string low_clocks_text(const GpuCourse& course) {
  constexpr double far = 0.05;
  const auto& clock = course.sm_clock_mhz;
  const bool went = clock && clock->minimum < (1 - far) * clock->maximum;
  const Named<double> reasons = course.held_down.value_or(Named<double>());
  if (reasons.empty() && !went) return {};
  std::vector<std::string> parts;
  if (clock)
    parts.push_back(fmt::format("SM {:.0f} MHz ({:.0f} to {:.0f})", clock->median, clock->minimum,
                                clock->maximum));
  if (course.watts) parts.push_back(fmt::format("up to {:.0f} W", course.watts->maximum));
  if (course.celsius) parts.push_back(fmt::format("up to {:.0f} C", course.celsius->maximum));
  for (const auto& [reason, share] : reasons)
    parts.push_back(
        fmt::format("held down by {} in {:.0f} % of {} looks", reason, 100 * share, course.looks));
  return fmt::format("{}", fmt::join(parts, ", "));
}

GpuCourse course_during(const std::function<void()>& work, const GpuLook& look,
                        std::chrono::milliseconds period) {
  std::vector<GpuMoment> moments;
  {
    const std::jthread thread([&](const std::stop_token& end) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      do {
        moments.push_back(look());
      } while (!std::condition_variable_any().wait_for(lock, end, period,
                                                       [&end] { return end.stop_requested(); }));
    });
    work();
  }  // waits for the thread
  return course_of(moments);
}

GpuLook look_at_gpu() {
  const std::string uuid = gpu_facts().uuid;
  const auto nvml = std::make_shared<const Nvml>(uuid);
  if (uuid.empty() || !nvml->refused().empty()) return {};
  return [nvml] { return nvml->moment(); };
}

}  // namespace memstencil::membench
