// NVIDIA's management library (NVML), looked up at run time: facts of a
// GPU that CUDA does not tell.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// One GPU as its driver sees it. What the driver does not serve has no value.
class Nvml {
public:
  struct Facts {
    std::optional<double> power_limit_watts, max_sm_clock_mhz, max_memory_clock_mhz;
    std::optional<std::string> addressing_mode, c2c_mode;
  };
  struct Clocks {
    std::optional<double> sm_mhz, memory_mhz;
  };

  /// @param uuid GpuFacts::uuid
  /// @param library for tests: another library, under its path
  explicit Nvml(const std::string& uuid, const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// The reason why the GPU cannot be asked; empty if it can.
  const std::string& refused() const { return refused_; }
  Facts facts() const;
  /// Joules since the driver was loaded. The driver renews it every 20 to 100 ms.
  std::optional<double> joules() const;
  Clocks clocks() const;
  /// The reasons for lowered clocks: "power cap", "hardware thermal slowdown",
  /// ... An idle GPU is no reason.
  std::vector<std::string> throttle_reasons() const;

private:
  struct Gpu;
  std::unique_ptr<Gpu> gpu_;  ///< null where refused
  std::string refused_;
};

}  // namespace memstencil
