// NVIDIA's management library (NVML): its header at build time, the driver's library at run time.
#include "app/base/machine/nvml.hpp"

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

Nvml::Nvml(const std::string& uuid, const std::string& library)
    : library_(library, "NVIDIA's driver"), refused_(library_.refused()) {
  if (!refused_.empty()) return;
  const auto init = library_.find<decltype(nvmlInit_v2)>("nvmlInit_v2");
  const auto by_uuid =
      library_.find<decltype(nvmlDeviceGetHandleByUUID)>("nvmlDeviceGetHandleByUUID");
  const auto text_of = library_.find<decltype(nvmlErrorString)>("nvmlErrorString");
  if (init == nullptr || by_uuid == nullptr || text_of == nullptr) {
    refused_ =
        "the driver's NVML is too old: it lacks nvmlInit_v2, nvmlDeviceGetHandleByUUID or "
        "nvmlErrorString";
  } else if (const nvmlReturn_t failed = init(); failed != NVML_SUCCESS) {
    refused_ = std::string("NVML does not start: ") + text_of(failed);
  } else {
    started_ = true;
    nvmlDevice_t device = nullptr;
    const nvmlReturn_t result = by_uuid(uuid.c_str(), &device);
    if (result == NVML_SUCCESS)
      device_ = device;
    else
      refused_ = "NVML does not find " + uuid + ": " + text_of(result);
  }
}

Nvml::~Nvml() {
  const auto stop = library_.find<decltype(nvmlShutdown)>("nvmlShutdown");
  if (started_ && stop != nullptr) stop();
}

template <class Function, class Value, class... Arguments>
std::optional<Value> Nvml::ask(const char* name, Value value, Arguments... arguments) const {
  const auto function = device_ != nullptr ? library_.find<Function>(name) : nullptr;
  if (function == nullptr ||
      function(static_cast<nvmlDevice_t>(device_), arguments..., &value) != NVML_SUCCESS)
    return std::nullopt;
  return value;
}

Nvml::Facts Nvml::facts() const {
  Facts facts;
  if (!refused_.empty()) facts.refused = refused_;
  if (const auto limit =
          ask<decltype(nvmlDeviceGetPowerManagementLimit)>("nvmlDeviceGetPowerManagementLimit", 0U))
    facts.power_limit_watts = *limit * milli;
  const auto clock = [this](nvmlClockType_t type) {
    return ask<decltype(nvmlDeviceGetMaxClockInfo)>("nvmlDeviceGetMaxClockInfo", 0U, type);
  };
  facts.max_sm_clock_mhz = clock(NVML_CLOCK_SM);
  facts.max_memory_clock_mhz = clock(NVML_CLOCK_MEM);
  nvmlEnableState_t now = NVML_FEATURE_DISABLED;
  if (ask<decltype(nvmlDeviceGetEccMode)>("nvmlDeviceGetEccMode", NVML_FEATURE_DISABLED, &now))
    facts.ecc = now == NVML_FEATURE_ENABLED;
#ifdef nvmlDeviceAddressingMode_v1
  nvmlDeviceAddressingMode_t asked{};
  asked.version = nvmlDeviceAddressingMode_v1;
  if (const auto mode =
          ask<decltype(nvmlDeviceGetAddressingMode)>("nvmlDeviceGetAddressingMode", asked))
    facts.addressing_mode = mode->value == NVML_DEVICE_ADDRESSING_MODE_ATS   ? "ATS"
                            : mode->value == NVML_DEVICE_ADDRESSING_MODE_HMM ? "HMM"
                                                                             : "None";
#endif
  return facts;
}

std::optional<double> Nvml::joules() const {
  const auto millijoules = ask<Counter>("nvmlDeviceGetTotalEnergyConsumption", 0ULL);
  if (!millijoules) return std::nullopt;
  return static_cast<double>(*millijoules) * milli;
}

GpuClocks Nvml::clocks() const {
  const auto clock = [this](nvmlClockType_t type) {
    return ask<decltype(nvmlDeviceGetClockInfo)>("nvmlDeviceGetClockInfo", 0U, type);
  };
  GpuClocks clocks;
  clocks.sm_clock_mhz = clock(NVML_CLOCK_SM);
  clocks.memory_clock_mhz = clock(NVML_CLOCK_MEM);
  // The name of CUDA 12.2 and newer, then the older one of the same form.
  auto bits = ask<Counter>("nvmlDeviceGetCurrentClocksEventReasons", 0ULL);
  if (!bits) bits = ask<Counter>("nvmlDeviceGetCurrentClocksThrottleReasons", 0ULL);
  if (!bits) return clocks;
  clocks.throttled.emplace();
  for (const auto& [bit, reason] : throttling)
    if ((*bits & bit) != 0) clocks.throttled->emplace_back(reason);
  return clocks;
}

GpuMoment Nvml::moment() const {
  GpuMoment moment{clocks(), {}, {}};
  if (const auto power = ask<decltype(nvmlDeviceGetPowerUsage)>("nvmlDeviceGetPowerUsage", 0U))
    moment.watts = *power * milli;
  // Its declaration is marked as old since CUDA 13, and older drivers have no other.
  using Temperature = nvmlReturn_t(nvmlDevice_t, nvmlTemperatureSensors_t, unsigned int*);
  moment.celsius = ask<Temperature>("nvmlDeviceGetTemperature", 0U, NVML_TEMPERATURE_GPU);
  return moment;
}

}  // namespace memstencil
