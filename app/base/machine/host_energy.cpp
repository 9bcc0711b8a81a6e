// The energy of a host's processors, where their counters of joules are readable: RAPL.
#include "app/base/machine/host_energy.hpp"

#include "app/base/machine/host_facts.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

constexpr double micro = 1e-6;

std::optional<double> joules_in(const fs::path& path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

}  // namespace

HostEnergy::HostEnergy(const fs::path& root) {
  std::error_code none;
  for (const auto& zone : fs::directory_iterator(root / "sys/class/powercap", none)) {
    if (!first_line(zone.path() / "name").value_or("").starts_with("package-")) continue;
    const auto range = joules_in(zone.path() / "max_energy_range_uj");
    if (!range || !joules_in(zone.path() / "energy_uj")) {
      packages_.clear();  // the energy of some packages would pass for that of all
      return;
    }
    packages_.push_back({zone.path() / "energy_uj", *range});
  }
}

std::optional<double> HostEnergy::joules(Clock::time_point now) {
  constexpr double most_watts = 1000;  // no package draws more
  const double seconds = before_ ? std::chrono::duration<double>(now - *before_).count() : 0.0;
  for (Package& package : packages_) {
    const auto read = joules_in(package.counter);
    if (!read || seconds * most_watts > package.range * micro) return std::nullopt;
    const double passed = *read - package.last;
    if (before_) joules_ += (passed < 0 ? passed + package.range : passed) * micro;
    package.last = *read;
  }
  before_ = now;
  return readable() ? std::optional(joules_) : std::nullopt;
}

}  // namespace memstencil
