// Host memory straight from the operating system: allocation, huge pages, how much there is.
#include "memory_spaces/host_memory.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace memstencil::host_memory {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Bytes that allocate() maps for a request.
std::size_t mapped_bytes(std::size_t bytes) {
  return rounded_up(std::max<std::size_t>(bytes, 1),
                    static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

}  // namespace

void* allocate(const MemoryKind& kind, std::size_t bytes) {
  const std::size_t length = mapped_bytes(bytes);
  const std::size_t reserved = length + huge_page;
  void* raw = reserved < bytes ? MAP_FAILED
                               : mmap(nullptr, reserved, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED)
    throw OutOfMemory("the operating system refuses " + std::to_string(bytes) +
                      " bytes of host memory; " +
                      std::to_string(std::min(available_bytes(), address_space_bytes())) +
                      " bytes are available");
  auto* const start = static_cast<char*>(raw);
  const auto address = reinterpret_cast<std::uintptr_t>(raw);
  const std::size_t before = rounded_up(address, huge_page) - address;
  if (before > 0) munmap(start, before);
  munmap(start + before + length, reserved - before - length);
  if (kind.pages == Pages::Huge && madvise(start + before, length, MADV_HUGEPAGE) != 0) {
    munmap(start + before, length);
    throw UnsupportedSpace(
        "the kernel refuses huge pages (madvise MADV_HUGEPAGE); use --pages default");
  }
  return start + before;
}

void release(void* data, std::size_t bytes) noexcept { munmap(data, mapped_bytes(bytes)); }

std::string why_not_huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string setting;
  if (!std::getline(file, setting))
    return "this kernel has no transparent huge pages; use --pages default";
  if (setting.find("[never]") != std::string::npos)
    return "transparent huge pages are switched off (/sys/kernel/mm/transparent_hugepage/enabled: "
           "never); use --pages default";
  return {};
}

namespace {

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
std::size_t number_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : unlimited;
}

/// Sum of the statistics `names` in a group's memory.stat.
std::size_t sum(const std::filesystem::path& folder, const std::vector<const char*>& names) {
  std::ifstream file(folder / "memory.stat");
  std::string key;
  std::size_t all = 0;
  for (std::size_t value = 0; file >> key >> value;)
    if (std::find(names.begin(), names.end(), key) != names.end()) all += value;
  return all;
}

std::size_t less(std::size_t from, std::size_t part) { return from - std::min(from, part); }

ControlGroupRoom room_in(const std::filesystem::path& folder, const Layout& layout) {
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
ControlGroupRoom room_on_the_way_up(const std::filesystem::path& mount, std::filesystem::path group,
                                    const Layout& layout) {
  ControlGroupRoom room = room_in(mount, layout);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path())
    room = std::min(room, room_in(mount / group, layout));
  return room;
}

/// MemAvailable; if there is none, free pages.
std::size_t bytes_of_machine() {
  std::size_t available = static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) *
                          static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);)
    if (line.starts_with("MemAvailable:")) available = std::stoull(line.substr(13)) * 1024;
  return available;
}

}  // namespace

ControlGroupRoom control_group_room(const std::filesystem::path& root) {
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

std::size_t available_bytes() {
  return std::min(bytes_of_machine(), control_group_room("/").bytes);
}

std::string control_group_limit() {
  const ControlGroupRoom room = control_group_room("/");
  return room.bytes < bytes_of_machine() ? room.limit : "";
}

std::size_t address_space_bytes(int more_threads) {
  struct rlimit limit {};
  std::size_t pages = 0;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  std::ifstream("/proc/self/statm") >> pages;
  std::size_t stack = 0;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) == 0) {
    pthread_attr_getstacksize(&attributes, &stack);
    pthread_attr_destroy(&attributes);
  }
  const std::size_t used = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) +
                           stack * static_cast<std::size_t>(more_threads);
  return limit.rlim_cur - std::min<std::size_t>(limit.rlim_cur, used);
}

}  // namespace memstencil::host_memory
