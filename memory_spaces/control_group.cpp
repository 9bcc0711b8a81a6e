// The memory that the control groups of this process leave it.
#include "memory_spaces/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace memstencil::host_memory {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// The names of one layout's files.
struct Layout {
  const char* mounted;
  const char* limit;
  const char* used;
  const char* inactive;  ///< key in memory.stat, groups below included
};
constexpr Layout version_1{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                           "total_inactive_file"};
constexpr Layout version_2{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

/// The number in a one-line file; "max" and anything unreadable give the largest.
std::size_t number_in(const fs::path& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : unlimited;
}

std::size_t statistic(const fs::path& path, const std::string& wanted) {
  std::ifstream file(path);
  std::string key;
  for (std::size_t value = 0; file >> key >> value;)
    if (key == wanted) return value;
  return 0;
}

std::size_t left_in(const fs::path& folder, const Layout& layout) {
  const std::size_t limit = number_in(folder / layout.limit);
  const std::size_t used = number_in(folder / layout.used);
  if (limit == unlimited || used == unlimited) return unlimited;
  const std::size_t kept =
      used - std::min(used, statistic(folder / "memory.stat", layout.inactive));
  return limit > kept ? limit - kept : 0;
}

/// The group and all groups around it. In a container the path may be the host's, and only the
/// mount itself is there: it is the container's own group.
std::size_t left_on_the_way_up(const fs::path& mount, fs::path group, const Layout& layout) {
  std::size_t left = left_in(mount, layout);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path())
    left = std::min(left, left_in(mount / group, layout));
  return left;
}

}  // namespace

std::size_t control_group_bytes(const fs::path& root) {
  std::size_t left = unlimited;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool v2 = controllers.empty();
    if (!v2 && controllers.find("memory") == std::string::npos) continue;
    const Layout& layout = v2 ? version_2 : version_1;
    left =
        std::min(left, left_on_the_way_up(root / layout.mounted, line.substr(second + 1), layout));
  }
  return left;
}

}  // namespace memstencil::host_memory
