// The load of a host by other programs, and the CPU time that it leaves this program.
#include "app/base/machine/host_load.hpp"

#include "app/base/machine/machine_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

/// The number that follows `key` in the file; nothing if there is none.
std::optional<double> number_after(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t at = text.find(key);
  double number = 0;
  if (at == std::string::npos || !(std::istringstream(text.substr(at + key.size())) >> number))
    return std::nullopt;
  return number;
}

/// The folder of the program's group: /proc/self/cgroup has "0::/path".
fs::path group_folder(const fs::path& root) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("0::/")) return root / "sys/fs/cgroup" / line.substr(4);
  return root / "sys/fs/cgroup";
}

}  // namespace

std::optional<double> cpu_quota(const fs::path& root) {
  std::optional<double> least;
  const fs::path top = root / "sys/fs/cgroup";
  for (fs::path folder = group_folder(root);; folder = folder.parent_path()) {
    std::istringstream line(first_line(folder / "cpu.max").value_or(""));  // "30000 100000"
    double quota = 0, period = 0;
    if (line >> quota >> period && period > 0)
      least = std::min(least.value_or(quota / period), quota / period);
    if (folder == top || folder == folder.parent_path()) return least;
  }
}

Record host_load(const fs::path& root) {
  const auto throttled = number_after(group_folder(root) / "cpu.stat", "throttled_usec ");
  return {{"load_average", or_null(number_after(root / "proc/loadavg", ""))},
          {"cpu_pressure_percent", or_null(number_after(root / "proc/pressure/cpu", "avg10="))},
          {"throttled_seconds", throttled ? Record(1e-6 * *throttled) : Record()}};
}

std::string busy_text(const Record& load) {
  const auto value = [&](const char* when, const char* what) {
    const Record& found = load.at(when).at(what);
    return found.is_number() ? found.get<double>() : 0.0;
  };
  const double held = value("after", "throttled_seconds") - value("before", "throttled_seconds");
  if (held > much_throttling)
    return fmt::format(
        "a CPU quota held the program back for {:.1f} s: figures of the host are low", held);
  // The program's own threads are in the pressure after it.
  const double pressure = value("before", "cpu_pressure_percent");
  if (pressure < much_pressure) return {};
  return fmt::format(
      "the host was busy before the run: tasks waited for a CPU in {:.0f} % of ten "
      "seconds (load average {:.1f}): figures of the host are low",
      pressure, value("before", "load_average"));
}

}  // namespace memstencil
