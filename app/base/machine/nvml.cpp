// NVIDIA's management library (NVML): its header at build time, the driver's library at run time.
#include "app/base/machine/nvml.hpp"

#include "kernels/shared_library.hpp"

#include <nvml.h>

#include <array>
#include <utility>

namespace memstencil {

namespace {

using Counter = decltype(nvmlDeviceGetTotalEnergyConsumption);  // a device, and 64 bits

constexpr double milli = 1e-3;

/// The names under which a header since CUDA 9 has them.
constexpr std::array<std::pair<unsigned long long, const char*>, 7> throttling{
    {{nvmlClocksThrottleReasonApplicationsClocksSetting, "application clocks"},
     {nvmlClocksThrottleReasonSwPowerCap, "power cap"},
     {nvmlClocksThrottleReasonHwSlowdown, "hardware slowdown"},
     {nvmlClocksThrottleReasonSyncBoost, "sync boost"},
     {nvmlClocksThrottleReasonSwThermalSlowdown, "software thermal slowdown"},
     {nvmlClocksThrottleReasonHwThermalSlowdown, "hardware thermal slowdown"},
     {nvmlClocksThrottleReasonHwPowerBrakeSlowdown, "power brake"}}};

}  // namespace

struct Nvml::Gpu {
  SharedLibrary library;
  nvmlDevice_t device = nullptr;
  bool started = false;

  explicit Gpu(const std::string& name) : library(name, "NVIDIA's driver") {}
  ~Gpu() {
    const auto stop = library.find<decltype(nvmlShutdown)>("nvmlShutdown");
    if (started && stop != nullptr) stop();
  }
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  /// The reason why it cannot be asked; empty if it can.
  std::string start(const std::string& uuid) {
    if (!library.refused().empty()) return library.refused();
    const auto init = library.find<decltype(nvmlInit_v2)>("nvmlInit_v2");
    const auto by_uuid =
        library.find<decltype(nvmlDeviceGetHandleByUUID)>("nvmlDeviceGetHandleByUUID");
    const auto text_of = library.find<decltype(nvmlErrorString)>("nvmlErrorString");
    if (init == nullptr || by_uuid == nullptr || text_of == nullptr)
      return "the driver's NVML is too old: it lacks nvmlInit_v2, "
             "nvmlDeviceGetHandleByUUID or nvmlErrorString";
    if (const nvmlReturn_t result = init(); result != NVML_SUCCESS)
      return std::string("NVML does not start: ") + text_of(result);
    started = true;
    const nvmlReturn_t result = by_uuid(uuid.c_str(), &device);
    return result == NVML_SUCCESS ? "" : "NVML does not find " + uuid + ": " + text_of(result);
  }

  /// The value that the function of this name gives for the GPU in its last argument;
  /// nothing where it is not served.
  template <class Value, class Function, class... Arguments>
  std::optional<Value> ask(const char* name, Arguments... arguments) const {
    const auto function = library.find<Function>(name);
    Value value{};
    if (function == nullptr || function(device, arguments..., &value) != NVML_SUCCESS)
      return std::nullopt;
    return value;
  }

  std::optional<double> clock(const char* name, nvmlClockType_t type) const {
    return ask<unsigned, decltype(nvmlDeviceGetClockInfo)>(name, type);
  }

  std::optional<std::string> addressing_mode() const {
#ifdef nvmlDeviceAddressingMode_v1
    const auto function =
        library.find<decltype(nvmlDeviceGetAddressingMode)>("nvmlDeviceGetAddressingMode");
    nvmlDeviceAddressingMode_t mode{};
    mode.version = nvmlDeviceAddressingMode_v1;
    if (function != nullptr && function(device, &mode) == NVML_SUCCESS)
      return mode.value == NVML_DEVICE_ADDRESSING_MODE_ATS   ? "ATS"
             : mode.value == NVML_DEVICE_ADDRESSING_MODE_HMM ? "HMM"
                                                             : "None";
#endif
    return std::nullopt;
  }

  std::optional<std::vector<std::string>> throttled() const {
    // The name of CUDA 12.2 and newer, then the older one of the same form.
    auto bits = ask<unsigned long long, Counter>("nvmlDeviceGetCurrentClocksEventReasons");
    if (!bits) bits = ask<unsigned long long, Counter>("nvmlDeviceGetCurrentClocksThrottleReasons");
    if (!bits) return std::nullopt;
    std::vector<std::string> reasons;
    for (const auto& [bit, reason] : throttling)
      if ((*bits & bit) != 0) reasons.emplace_back(reason);
    return reasons;
  }
};

Nvml::Nvml(const std::string& uuid, const std::string& library)
    : gpu_(std::make_unique<Gpu>(library)) {
  refused_ = gpu_->start(uuid);
  if (!refused_.empty()) gpu_.reset();
}

Nvml::~Nvml() = default;

Nvml::Facts Nvml::facts() const {
  if (!gpu_) {
    Facts none;
    none.refused = refused_;
    return none;
  }
  const auto limit = gpu_->ask<unsigned, decltype(nvmlDeviceGetPowerManagementLimit)>(
      "nvmlDeviceGetPowerManagementLimit");
  return {.power_limit_watts = limit ? std::optional(*limit * milli) : std::nullopt,
          .max_sm_clock_mhz = gpu_->clock("nvmlDeviceGetMaxClockInfo", NVML_CLOCK_SM),
          .max_memory_clock_mhz = gpu_->clock("nvmlDeviceGetMaxClockInfo", NVML_CLOCK_MEM),
          .addressing_mode = gpu_->addressing_mode(),
          .refused = {}};
}

std::optional<double> Nvml::joules() const {
  if (!gpu_) return std::nullopt;
  const auto millijoules =
      gpu_->ask<unsigned long long, Counter>("nvmlDeviceGetTotalEnergyConsumption");
  if (!millijoules) return std::nullopt;
  return static_cast<double>(*millijoules) * milli;
}

GpuClocks Nvml::clocks() const {
  if (!gpu_) return {};
  return {.sm_clock_mhz = gpu_->clock("nvmlDeviceGetClockInfo", NVML_CLOCK_SM),
          .memory_clock_mhz = gpu_->clock("nvmlDeviceGetClockInfo", NVML_CLOCK_MEM),
          .throttled = gpu_->throttled()};
}

}  // namespace memstencil
