// A library in NVML's place: FAKE_NVML_WHOLE tells all, FAKE_NVML_OLDER what drivers long ago told,
// and FAKE_NVML_FAILING does not start. Its GPU draws 500 W: the counter goes on by the time.
#include <nvml.h>

#include <chrono>
#include <cstring>

namespace {

constexpr const char* gpu = "GPU-00112233-4455-6677-8899-aabbccddeeff";
int starts = 0;
[[maybe_unused]] int asked_for_reasons = 0;

nvmlReturn_t give(unsigned* out, unsigned value) {
  if (starts == 0) return NVML_ERROR_UNINITIALIZED;
  *out = value;
  return NVML_SUCCESS;
}

}  // namespace

extern "C" {

nvmlReturn_t nvmlInit_v2() {
#ifdef FAKE_NVML_FAILING
  return NVML_ERROR_DRIVER_NOT_LOADED;
#else
  ++starts;
  asked_for_reasons = 0;
  return NVML_SUCCESS;
#endif
}

nvmlReturn_t nvmlShutdown() {
  --starts;
  return NVML_SUCCESS;
}

const char* nvmlErrorString(nvmlReturn_t result) {
  return result == NVML_ERROR_NOT_FOUND ? "Not Found" : "Driver Not Loaded";
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  *device = reinterpret_cast<nvmlDevice_t>(&starts);
  return std::strcmp(uuid, gpu) == 0 ? NVML_SUCCESS : NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t, unsigned* limit) {
  return give(limit, 700000);
}

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t, nvmlEnableState_t* now, nvmlEnableState_t* later) {
  *now = NVML_FEATURE_ENABLED;
  *later = NVML_FEATURE_DISABLED;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t, nvmlClockType_t type, unsigned* mhz) {
  return give(mhz, type == NVML_CLOCK_SM ? 1755 : 3200);
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t, nvmlClockType_t type, unsigned* mhz) {
  return give(mhz, type == NVML_CLOCK_SM ? 1980 : 3201);
}

/// Not of the older one. Milliwatts, which change from look to look.
#ifndef FAKE_NVML_OLDER
nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t, unsigned* milliwatts) {
  static unsigned looks = 0;
  return give(milliwatts, 400000 + 100000 * (looks++ % 3));
}
#endif
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t, nvmlTemperatureSensors_t, unsigned* celsius) {
  return give(celsius, 61);
}

#ifdef FAKE_NVML_OLDER

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t, unsigned long long*) {
  return NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t, unsigned long long* reasons) {
  if (asked_for_reasons++ > 0) return NVML_ERROR_NOT_SUPPORTED;
  *reasons = nvmlClocksThrottleReasonHwThermalSlowdown;
  return NVML_SUCCESS;
}

#else

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t, unsigned long long* millijoules) {
  using std::chrono::microseconds;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  *millijoules =
      static_cast<unsigned long long>(std::chrono::duration_cast<microseconds>(now).count()) / 2;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t, unsigned long long* reasons) {
  *reasons = nvmlClocksThrottleReasonGpuIdle | nvmlClocksThrottleReasonSwPowerCap |
             nvmlClocksThrottleReasonSwThermalSlowdown;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetAddressingMode(nvmlDevice_t, nvmlDeviceAddressingMode_t* mode) {
  mode->value = NVML_DEVICE_ADDRESSING_MODE_ATS;
  return NVML_SUCCESS;
}

#endif

}  // extern "C"
