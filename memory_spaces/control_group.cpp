// The memory that the control groups of this process leave it.
#include "memory_spaces/host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace memstencil::host_memory {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// The names of one layout's files; statistics include groups below.
struct Layout {
  const char* mounted;
  std::vector<const char*> limits;
  const char* used;
  /// Statistics that the kernel gives back at once, and the part of them that it does not: what is
  /// dirty, being written or mapped. (Shared memory is in none of the former.)
  std::vector<const char*> reclaimable, pinned;
};
const Layout version_1{"sys/fs/cgroup/memory",
                       {"memory.limit_in_bytes"},
                       "memory.usage_in_bytes",
                       {"total_inactive_file", "total_active_file"},
                       {"total_dirty", "total_writeback", "total_mapped_file"}};
const Layout version_2{"sys/fs/cgroup",
                       {"memory.max", "memory.high"},
                       "memory.current",
                       {"inactive_file", "active_file", "slab_reclaimable"},
                       {"file_dirty", "file_writeback", "file_mapped"}};

/// The number in a one-line file; "max" and anything unreadable give the largest.
std::size_t number_in(const fs::path& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : unlimited;
}

/// Sum of the statistics `names` in a group's memory.stat.
std::size_t sum(const fs::path& folder, const std::vector<const char*>& names) {
  std::ifstream file(folder / "memory.stat");
  std::string key;
  std::size_t all = 0;
  for (std::size_t value = 0; file >> key >> value;)
    if (std::find(names.begin(), names.end(), key) != names.end()) all += value;
  return all;
}

std::size_t less(std::size_t from, std::size_t part) { return from - std::min(from, part); }

ControlGroupRoom room_in(const fs::path& folder, const Layout& layout) {
  ControlGroupRoom room;
  const std::size_t used = number_in(folder / layout.used);
  if (used == unlimited) return room;
  const std::size_t kept =
      less(used, less(sum(folder, layout.reclaimable), sum(folder, layout.pinned)));
  for (const char* name : layout.limits)
    if (const std::size_t limit = number_in(folder / name); limit != unlimited)
      room = std::min(room, ControlGroupRoom{less(limit, kept), (folder / name).string()});
  return room;
}

/// The group and all groups around it. In a container the path may be the host's, and only the
/// mount itself is there: it is the container's own group.
ControlGroupRoom room_on_the_way_up(const fs::path& mount, fs::path group, const Layout& layout) {
  ControlGroupRoom room = room_in(mount, layout);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path())
    room = std::min(room, room_in(mount / group, layout));
  return room;
}

}  // namespace

ControlGroupRoom control_group_room(const fs::path& root) {
  ControlGroupRoom room;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool v2 = controllers.empty();
    if (!v2 && controllers.find("memory") == std::string::npos) continue;
    const Layout& layout = v2 ? version_2 : version_1;
    room =
        std::min(room, room_on_the_way_up(root / layout.mounted, line.substr(second + 1), layout));
  }
  return room;
}

}  // namespace memstencil::host_memory
