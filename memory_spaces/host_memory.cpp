// Host memory straight from the operating system: allocation, huge pages, how much there is.
#include "memory_spaces/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace memstencil::host_memory {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Bytes that allocate() maps for a request.
std::size_t mapped_bytes(std::size_t bytes) {
  return rounded_up(std::max<std::size_t>(bytes, 1), static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

/// The number in a one-line file such as a cgroup limit; "max" and anything unreadable give the largest.
std::size_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : std::numeric_limits<std::size_t>::max();
}

/// What the control group of this process leaves, by the two layouts of the cgroup file system.
std::size_t control_group_bytes() {
  constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  std::size_t left = unlimited;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    const bool v2 = controllers.empty();
    if (!v2 && controllers.find("memory") == std::string::npos) continue;
    const std::string folder = (v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory") + path;
    const std::size_t limit = number_in(folder + (v2 ? "/memory.max" : "/memory.limit_in_bytes"));
    const std::size_t used = number_in(folder + (v2 ? "/memory.current" : "/memory.usage_in_bytes"));
    if (limit != unlimited && used != unlimited) left = std::min(left, limit > used ? limit - used : 0);
  }
  return left;
}

}  // namespace

void* allocate(std::size_t bytes, Pages pages) {
  const std::size_t length = mapped_bytes(bytes);
  const std::size_t reserved = length + huge_page;
  void* raw = reserved < length
                  ? MAP_FAILED
                  : mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED)
    throw OutOfMemory("the operating system refuses " + std::to_string(bytes) + " bytes of host memory; " +
                      std::to_string(available_bytes()) + " bytes are available");
  auto* const start = static_cast<char*>(raw);
  const auto address = reinterpret_cast<std::uintptr_t>(raw);
  const std::size_t before = rounded_up(address, huge_page) - address;
  if (before > 0) munmap(start, before);
  munmap(start + before + length, reserved - before - length);
  if (pages == Pages::Huge && madvise(start + before, length, MADV_HUGEPAGE) != 0) {
    munmap(start + before, length);
    throw UnsupportedSpace("the kernel refuses huge pages (madvise MADV_HUGEPAGE); use --pages default");
  }
  return start + before;
}

void release(void* data, std::size_t bytes) noexcept { munmap(data, mapped_bytes(bytes)); }

std::string refuse_huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string setting;
  if (!std::getline(file, setting)) return "this kernel has no transparent huge pages; use --pages default";
  if (setting.find("[never]") != std::string::npos)
    return "transparent huge pages are switched off (/sys/kernel/mm/transparent_hugepage/enabled: never); "
           "use --pages default";
  return {};
}

std::size_t available_bytes() {
  std::size_t available =
      static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);)
    if (line.starts_with("MemAvailable:")) available = std::stoull(line.substr(13)) * 1024;
  return std::min(available, control_group_bytes());
}

}  // namespace memstencil::host_memory
