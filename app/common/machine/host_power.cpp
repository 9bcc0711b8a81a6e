// The power of a host's processors, where its sensors are readable: hwmon.
#include "app/common/machine/host_power.hpp"

#include "app/common/machine/host_facts.hpp"

#include <fstream>
#include <map>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

constexpr double micro = 1e-6;

/// Labels and the files that they belong to, in the order of the labels.
using Sensors = std::map<std::string, fs::path>;

std::optional<double> value_in(const fs::path& path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

/// Files of a sensor may stand in the folder of its device, as those of ACPI power meters do.
Sensors labelled_sensors(const fs::path& root, const std::string& value, const std::string& label,
                         const std::string& beginning) {
  Sensors found;
  std::error_code none;
  for (const auto& sensor : fs::directory_iterator(root / "sys/class/hwmon", none))
    for (const fs::path& folder : {sensor.path(), sensor.path() / "device"})
      for (const auto& file : fs::directory_iterator(folder, none)) {
        const std::string name = file.path().filename();
        if (!name.ends_with(value)) continue;
        const std::string text =
            first_line(folder / (name.substr(0, name.size() - value.size()) + label)).value_or("");
        if (text.starts_with(beginning) && value_in(file.path())) found.emplace(text, file.path());
      }
  return found;
}

/// Nothing where one of them is not readable, or there is none.
std::optional<double> sum_of(const std::vector<fs::path>& files) {
  double sum = 0;
  for (const fs::path& file : files) {
    const auto number = value_in(file);
    if (!number) return std::nullopt;
    sum += *number * micro;
  }
  return files.empty() ? std::nullopt : std::optional(sum);
}

}  // namespace

HostPower::HostPower(const fs::path& root) {
  const auto take = [this](const Sensors& found, std::vector<fs::path>& files) {
    for (const auto& [label, file] : found) {
      sensors_ += (sensors_.empty() ? "" : ", ") + label;
      files.push_back(file);
    }
  };
  take(labelled_sensors(root, "_input", "_label", "Esocket"), counters_);
  for (const char* label : {"Grace Power Socket", "CPU Power Socket"})
    if (sensors_.empty()) take(labelled_sensors(root, "_average", "_oem_info", label), meters_);
}

std::optional<double> HostPower::joules() const { return sum_of(counters_); }

std::optional<double> HostPower::watts() const { return sum_of(meters_); }

}  // namespace memstencil
