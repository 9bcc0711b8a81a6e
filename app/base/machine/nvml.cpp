// NVIDIA's management library (NVML): the driver's library at run time, by its documented numbers.
#include "app/base/machine/nvml.hpp"

#include <array>
#include <utility>

namespace memstencil {

namespace {

// As nvml.h of CUDA 13 has them; a driver keeps the numbers and functions of older ones.
constexpr int success = 0;
constexpr int clock_of_sm = 1, clock_of_memory = 2;  // nvmlClockType_t
constexpr int gpu_die = 0;                           // nvmlTemperatureSensors_t
constexpr int disabled = 0, enabled = 1;             // nvmlEnableState_t

struct AddressingMode {
  unsigned version = sizeof(AddressingMode) | 1U << 24U;
  unsigned value = 0;
};

constexpr double milli = 1e-3;

constexpr std::array<std::pair<unsigned long long, const char*>, 7> throttling{
    {{0x02, "application clocks"},
     {0x04, "power cap"},
     {0x08, "hardware slowdown"},
     {0x10, "sync boost"},
     {0x20, "software thermal slowdown"},
     {0x40, "hardware thermal slowdown"},
     {0x80, "power brake"}}};

}  // namespace

Nvml::Nvml(const std::string& uuid, const std::string& library)
    : library_(library, "NVIDIA's driver"), refused_(library_.refused()) {
  if (!refused_.empty()) return;
  const auto init = library_.find<int()>("nvmlInit_v2");
  const auto by_uuid = library_.find<int(const char*, void**)>("nvmlDeviceGetHandleByUUID");
  const auto text_of = library_.find<const char*(int)>("nvmlErrorString");
  if (init == nullptr || by_uuid == nullptr || text_of == nullptr) {
    refused_ =
        "the driver's NVML is too old: it lacks nvmlInit_v2, nvmlDeviceGetHandleByUUID or "
        "nvmlErrorString";
  } else if (const int failed = init(); failed != success) {
    refused_ = std::string("NVML does not start: ") + text_of(failed);
  } else {
    started_ = true;
    void* device = nullptr;
    const int result = by_uuid(uuid.c_str(), &device);
    if (result == success)
      device_ = device;
    else
      refused_ = "NVML does not find " + uuid + ": " + text_of(result);
  }
}

Nvml::~Nvml() {
  const auto stop = library_.find<int()>("nvmlShutdown");
  if (started_ && stop != nullptr) stop();
}

template <class Value, class... Arguments>
std::optional<Value> Nvml::ask(const char* name, Value value, Arguments... arguments) const {
  using Function = int(void*, Arguments..., Value*);
  const auto function = device_ != nullptr ? library_.find<Function>(name) : nullptr;
  if (function == nullptr || function(device_, arguments..., &value) != success)
    return std::nullopt;
  return value;
}

Nvml::Facts Nvml::facts() const {
  Facts facts;
  if (!refused_.empty()) facts.refused = refused_;
  if (const auto limit = ask("nvmlDeviceGetPowerManagementLimit", 0U))
    facts.power_limit_watts = *limit * milli;
  facts.max_sm_clock_mhz = ask("nvmlDeviceGetMaxClockInfo", 0U, clock_of_sm);
  facts.max_memory_clock_mhz = ask("nvmlDeviceGetMaxClockInfo", 0U, clock_of_memory);
  int now = disabled;
  if (ask("nvmlDeviceGetEccMode", disabled, &now)) facts.ecc = now == enabled;
  if (const auto mode = ask("nvmlDeviceGetAddressingMode", AddressingMode()))
    facts.addressing_mode = mode->value == 2 ? "ATS" : mode->value == 1 ? "HMM" : "None";
  return facts;
}

std::optional<double> Nvml::joules() const {
  const auto millijoules = ask("nvmlDeviceGetTotalEnergyConsumption", 0ULL);
  if (!millijoules) return std::nullopt;
  return static_cast<double>(*millijoules) * milli;
}

GpuClocks Nvml::clocks() const {
  GpuClocks clocks;
  clocks.sm_clock_mhz = ask("nvmlDeviceGetClockInfo", 0U, clock_of_sm);
  clocks.memory_clock_mhz = ask("nvmlDeviceGetClockInfo", 0U, clock_of_memory);
  // The name of CUDA 12.2 and newer, then the older one of the same form.
  auto bits = ask("nvmlDeviceGetCurrentClocksEventReasons", 0ULL);
  if (!bits) bits = ask("nvmlDeviceGetCurrentClocksThrottleReasons", 0ULL);
  if (!bits) return clocks;
  clocks.throttled.emplace();
  for (const auto& [bit, reason] : throttling)
    if ((*bits & bit) != 0) clocks.throttled->emplace_back(reason);
  return clocks;
}

GpuMoment Nvml::moment() const {
  GpuMoment moment{clocks(), {}, {}};
  if (const auto power = ask("nvmlDeviceGetPowerUsage", 0U)) moment.watts = *power * milli;
  moment.celsius = ask("nvmlDeviceGetTemperature", 0U, gpu_die);
  return moment;
}

}  // namespace memstencil
