// The power of a host's processors, where its sensors are readable: hwmon.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// The sensors that together tell what the host's processors draw. Of the ACPI power meters these
/// of "Grace Power Socket N" (a Grace's cores, fabric and memory), otherwise of "CPU Power Socket
/// N"; of AMD's counters the sockets'.
class HostPower {
public:
  /// Reads sys/class/hwmon under `root`.
  explicit HostPower(const std::filesystem::path& root = "/");

  /// "Grace Power Socket 0, Grace Power Socket 1"; empty where no sensor is readable.
  const std::string& sensors() const { return sensors_; }
  /// Joules since some time in the past, by counters; nothing without them.
  std::optional<double> joules() const;
  /// The mean over a sensor's own interval, which is a part of a second;
  /// nothing without such sensors.
  std::optional<double> watts() const;

private:
  std::vector<std::filesystem::path> counters_, meters_;  ///< in microjoules, in microwatts
  std::string sensors_;
};

}  // namespace memstencil
