// NVIDIA's management library (NVML), looked up at run time: facts of a
// GPU that CUDA does not tell.
#pragma once

#include "app/base/record/record.hpp"
#include "kernels/shared_library.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// The clocks of a GPU at one moment (of several GPUs: the lowest), and the reasons for low ones:
/// "power cap", "hardware thermal slowdown", ... An idle GPU is no reason.
struct GpuClocks {
  std::optional<double> sm_clock_mhz, memory_clock_mhz;
  std::optional<std::vector<std::string>> throttled;
  MEMSTENCIL_DESCRIBED(sm_clock_mhz, memory_clock_mhz, throttled)
};

/// The same with its power and temperature.
struct GpuMoment : GpuClocks {
  std::optional<double> watts, celsius;
};

/// One GPU as its driver sees it. A reading that the driver does not serve has no value.
class Nvml {
public:
  struct Facts {
    std::optional<double> power_limit_watts, max_sm_clock_mhz, max_memory_clock_mhz;
    std::optional<std::string> addressing_mode;
    std::optional<bool> ecc;             ///< does the memory correct errors?
    std::optional<std::string> refused;  ///< why it tells nothing
  };

  /// @param uuid GpuFacts::uuid
  /// @param library for tests: another library, under its path
  explicit Nvml(const std::string& uuid, const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml& operator=(Nvml&&) = delete;  // nor any copy

  /// The reason why the GPU cannot be asked; empty if it can.
  const std::string& refused() const { return refused_; }
  Facts facts() const;
  /// Joules since the driver was loaded. The driver renews it every 20 to 100 ms.
  std::optional<double> joules() const;
  GpuClocks clocks() const;
  GpuMoment moment() const;

private:
  /// The value that the function of this name gives for the GPU in its last argument; nothing if
  /// it is not served.
  template <class Value, class... Arguments>
  std::optional<Value> ask(const char* name, Value value, Arguments... arguments) const;

  SharedLibrary library_;
  std::string refused_;
  bool started_ = false;
  void* device_ = nullptr;  ///< null if refused
};

}  // namespace memstencil
