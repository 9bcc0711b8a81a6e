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

namespace memstencil::host_memory {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Bytes that allocate() maps for a request.
std::size_t mapped_bytes(std::size_t bytes) {
  return rounded_up(std::max<std::size_t>(bytes, 1),
                    static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

}  // namespace

void* allocate(std::size_t bytes, Pages pages) {
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
  if (pages == Pages::Huge && madvise(start + before, length, MADV_HUGEPAGE) != 0) {
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

std::size_t available_bytes() {
  return std::min(bytes_of_machine(), control_group_room("/").bytes);
}

std::string control_group_limit() {
  const ControlGroupRoom room = control_group_room("/");
  return room.bytes < bytes_of_machine() ? room.limit : "";
}

std::size_t address_space_bytes(int more_threads) {
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  struct rlimit limit {};
  std::size_t pages = 0;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
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
