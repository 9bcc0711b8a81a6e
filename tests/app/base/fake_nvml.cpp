// A library in NVML's place: FAKE_NVML_WHOLE tells all, FAKE_NVML_OLDER what drivers long ago told,
// and FAKE_NVML_FAILING does not start. Its GPU draws 500 W: the counter goes on by the time.
#include <chrono>
#include <cstring>

namespace {

// As nvml.h numbers them.
constexpr int success = 0, uninitialised = 1, not_supported = 3, not_found = 6, not_loaded = 9;
constexpr int sm = 1;

constexpr const char* gpu = "GPU-00112233-4455-6677-8899-aabbccddeeff";
int starts = 0;
[[maybe_unused]] int asked_for_reasons = 0;

int give(unsigned* out, unsigned value) {
  if (starts == 0) return uninitialised;
  *out = value;
  return success;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
#ifdef FAKE_NVML_FAILING
  return not_loaded;
#else
  ++starts;
  asked_for_reasons = 0;
  return success;
#endif
}

int nvmlShutdown() {
  --starts;
  return success;
}

const char* nvmlErrorString(int result) {
  return result == not_found ? "Not Found" : "Driver Not Loaded";
}

int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  *device = &starts;
  return std::strcmp(uuid, gpu) == 0 ? success : not_found;
}

int nvmlDeviceGetPowerManagementLimit(void*, unsigned* limit) { return give(limit, 700000); }

int nvmlDeviceGetEccMode(void*, int* now, int* later) {
  *now = 1;
  *later = 0;
  return success;
}

int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
  return give(mhz, type == sm ? 1755 : 3200);
}

int nvmlDeviceGetMaxClockInfo(void*, int type, unsigned* mhz) {
  return give(mhz, type == sm ? 1980 : 3201);
}

/// Not of the older one. Milliwatts, which change from look to look.
#ifndef FAKE_NVML_OLDER
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  static unsigned looks = 0;
  return give(milliwatts, 400000 + 100000 * (looks++ % 3));
}
#endif
int nvmlDeviceGetTemperature(void*, int, unsigned* celsius) { return give(celsius, 61); }

#ifdef FAKE_NVML_OLDER

int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long*) { return not_supported; }

int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  if (asked_for_reasons++ > 0) return not_supported;
  *reasons = 0x40;  // a hardware thermal slowdown
  return success;
}

#else

int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  using std::chrono::microseconds;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  *millijoules =
      static_cast<unsigned long long>(std::chrono::duration_cast<microseconds>(now).count()) / 2;
  return success;
}

int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
  *reasons = 0x01 | 0x04 | 0x20;  // idle, power cap, software thermal slowdown
  return success;
}

int nvmlDeviceGetAddressingMode(void*, unsigned* mode) {
  if (mode[0] != (8 | 1U << 24)) return not_supported;
  mode[1] = 2;  // ATS
  return success;
}

#endif

}  // extern "C"
