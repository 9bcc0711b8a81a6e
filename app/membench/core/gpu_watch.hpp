// A GPU while something runs on it: its clocks, power and temperature, looked at again and again.
#pragma once

#include "app/base/machine/nvml.hpp"
#include "app/base/record/archive.hpp"
#include "app/base/record/statistics.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::membench {

/// Summary of all looks; a fact that the driver never gave has no value.
struct GpuCourse {
  std::int64_t looks = 0;
  std::optional<Spread> sm_clock_mhz, memory_clock_mhz, watts, celsius;
  std::optional<Named<double>> held_down;  ///< reasons for low clocks, each with its share of looks
  MEMSTENCIL_DESCRIBED(looks, sm_clock_mhz, memory_clock_mhz, watts, celsius, held_down)
};
GpuCourse course_of(const std::vector<GpuMoment>& moments);
/// Why figures of the GPU may be low: the reasons for low clocks, or a wide range of clocks; empty
/// if there is neither.
std::string low_clocks_text(const GpuCourse& course);

/// A look takes the driver less than a millisecond.
using GpuLook = std::function<GpuMoment()>;
/// The course while `work` goes on: another thread looks at the beginning, then once a period.
GpuCourse course_during(const std::function<void()>& work, const GpuLook& look,
                        std::chrono::milliseconds period = std::chrono::milliseconds(100));

/// A look at the GPU in use; nothing if its driver does not answer.
GpuLook look_at_gpu();

}  // namespace memstencil::membench
