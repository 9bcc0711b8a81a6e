// The energy of a host's processors, where their counters of joules are readable: RAPL.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

namespace memstencil {

/// The packages that the kernel's power capping names (`intel-rapl:N`, on AMD's processors, too).
/// Most systems let root alone read them.
class HostEnergy {
public:
  using Clock = std::chrono::steady_clock;

  /// Reads sys/class/powercap under `root`.
  explicit HostEnergy(const std::filesystem::path& root = "/");

  bool readable() const { return !packages_.empty(); }
  /// Joules of all packages since the first call. A counter begins anew at the end of its range:
  /// nothing where that may have happened more than once since the call before.
  std::optional<double> joules(Clock::time_point now = Clock::now());

private:
  struct Package {
    std::filesystem::path counter;
    double range = 0, last = 0;  ///< in microjoules
  };
  std::vector<Package> packages_;
  std::optional<Clock::time_point> before_;
  double joules_ = 0;
};

}  // namespace memstencil
