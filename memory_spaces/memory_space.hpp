// The names of the memory spaces, of the executors, and of what may be asked of an allocation.
#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace memstencil {

/// The memory of an array. A runtime value: the same kernels dereference all four.
enum class MemorySpace { HostPinned, Device, Managed, SystemAllocated };

/// The processor that runs a kernel, initialises an array, or is the target of a prefetch.
enum class Executor { Host, Device };

/// Page size asked of the operating system for host memory.
enum class Pages { Default, Huge };

/// cudaMemAdvise hints, named as on the command line.
enum class Advice { None, Preferred, ReadMostly, AccessedBy };

inline constexpr std::array all_memory_spaces{MemorySpace::HostPinned, MemorySpace::Device,
                                              MemorySpace::Managed, MemorySpace::SystemAllocated};
inline constexpr std::array all_executors{Executor::Host, Executor::Device};
inline constexpr std::array all_pages{Pages::Default, Pages::Huge};
inline constexpr std::array all_advice{Advice::None, Advice::Preferred, Advice::ReadMostly,
                                       Advice::AccessedBy};

/// The memory that a space's pages lie in, on a machine with a GPU.
enum class Home {
  Host,     ///< the host's, for good: a GPU reaches it over the link
  Gpu,      ///< the GPU's, for good: host code does not reach it
  Migrates  ///< whose processor touches a page first, until the page is moved
};

/// One place for what else follows from a space: whether it is reached over a link, takes memory of
/// the GPU, can be prefetched.
constexpr Home home(MemorySpace space) {
  switch (space) {
    case MemorySpace::HostPinned:
      return Home::Host;
    case MemorySpace::Device:
      return Home::Gpu;
    case MemorySpace::Managed:
    case MemorySpace::SystemAllocated:
      return Home::Migrates;
  }
  return Home::Migrates;
}

/// Is memory of the space taken from the GPU's, on a machine with a GPU? System-allocated memory is
/// the whole node's, as host memory is: the operating system hands it out, also where it can put
/// pages with the GPU.
constexpr bool taken_from_gpu(MemorySpace space) {
  return home(space) != Home::Host && space != MemorySpace::SystemAllocated;
}

/// The command line's name of a value: "host-pinned", "device", "managed", "system"; "host", ...
std::string_view name(MemorySpace space);
std::string_view name(Executor executor);
std::string_view name(Pages pages);
std::string_view name(Advice advice);

/// The space of that name, or nothing.
std::optional<MemorySpace> memory_space_from_name(std::string_view text);
/// All of them as a help or a refusal lists them: "host-pinned|device|managed|system".
std::string memory_space_names(std::string_view separator);

/// This machine cannot serve the space or the request. what() is one line that names the device,
/// the attribute that decides, and what to use instead.
class UnsupportedSpace : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The memory is served here, but not this much of it. what() says how much is there.
class OutOfMemory : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

}  // namespace memstencil
