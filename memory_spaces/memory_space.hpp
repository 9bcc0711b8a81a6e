// The table of the memory spaces; executors, and what is asked of an allocation: a memory space,
// the call that allocates, and its pages.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace memstencil {

/// The memory of an array. A runtime value: the same kernels dereference all four.
enum class MemorySpace { HostPinned, Device, Managed, SystemAllocated };

/// The processor that runs a kernel, initialises an array, or is the target of a prefetch.
enum class Executor { Host, Device };

/// Page size asked of the operating system for host memory.
enum class Pages { Default, Huge };

/// The call that allocates.
enum class Allocation {
  Default,      ///< what programs call: cudaHostAlloc, cudaMalloc, cudaMallocManaged, mmap
  Registered,   ///< mmap, touched by all threads of the host, cudaHostRegister
  Pool,         ///< a stream-ordered pool, which keeps what is released
  Compressible  ///< memory that the GPU compresses: its bytes stay, their bandwidth grows
};

/// cudaMemAdvise hints, named as on the command line.
enum class Advice { None, Preferred, ReadMostly, AccessedBy };

inline constexpr std::array all_executors{Executor::Host, Executor::Device};
inline constexpr std::array all_pages{Pages::Default, Pages::Huge};
inline constexpr std::array all_allocations{Allocation::Default, Allocation::Registered,
                                            Allocation::Pool, Allocation::Compressible};
inline constexpr std::array all_advice{Advice::None, Advice::Preferred, Advice::ReadMostly,
                                       Advice::AccessedBy};

/// The memory that a space's pages lie in, on a machine with a GPU.
enum class Home {
  Host,     ///< the host's, for good: a GPU reaches it over the link
  Gpu,      ///< the GPU's, for good: host code does not reach it
  Migrates  ///< whose processor touches a page first, until the page is moved
};

/// The memories of a node: the host's, which all its ranks share, and that of each GPU.
enum class Memory { Host, Gpu };

/// What every backend's spaces have; how one allocates them stands in its own table (backend.hpp).
struct SpaceRow {
  MemorySpace space;
  std::string_view name;  ///< on the command line
  Home home;
  /// Whose memory it counts as, with a GPU. System-allocated memory is the whole node's: the
  /// operating system hands it out, also if it can put pages with the GPU.
  Memory memory;
};
inline constexpr std::array memory_space_table{
    SpaceRow{MemorySpace::HostPinned, "host-pinned", Home::Host, Memory::Host},
    SpaceRow{MemorySpace::Device, "device", Home::Gpu, Memory::Gpu},
    SpaceRow{MemorySpace::Managed, "managed", Home::Migrates, Memory::Gpu},
    SpaceRow{MemorySpace::SystemAllocated, "system", Home::Migrates, Memory::Host}};

inline constexpr auto all_memory_spaces = [] {
  std::array<MemorySpace, memory_space_table.size()> spaces{};
  for (std::size_t n = 0; n < spaces.size(); ++n) spaces[n] = memory_space_table[n].space;
  return spaces;
}();

constexpr const SpaceRow& row_of(MemorySpace space) {
  std::size_t n = 0;
  while (memory_space_table[n].space != space) ++n;
  return memory_space_table[n];
}
constexpr Home home(MemorySpace space) { return row_of(space).home; }

/// The memory that a space takes if this executor works on it.
constexpr Memory memory_of(MemorySpace space, Executor executor) {
  return executor == Executor::Device ? row_of(space).memory : Memory::Host;
}
/// Does the executor reach this memory over the link between host and GPU, at every access?
constexpr bool reached_over_link(MemorySpace space, Executor executor) {
  return executor == Executor::Device && home(space) == Home::Host;
}
/// Does memory of the space get its pages from whoever touches them first,
/// and not from the allocation?
constexpr bool touch_makes_pages(MemorySpace space) { return home(space) == Home::Migrates; }
/// The space for an executor's own small arrays: what its kernels write fastest.
constexpr MemorySpace scratch_space(Executor executor) {
  return executor == Executor::Device ? MemorySpace::Device : MemorySpace::SystemAllocated;
}

/// The command line's name of a value: "host-pinned", "device", "managed", "system"; "host", ...
constexpr std::string_view name(MemorySpace space) { return row_of(space).name; }
constexpr std::string_view name(Executor executor) {
  return executor == Executor::Host ? "host" : "device";
}
constexpr std::string_view name(Pages pages) { return pages == Pages::Huge ? "huge" : "default"; }
constexpr std::string_view name(Allocation allocation) {
  constexpr std::array names{"default", "registered", "pool", "compressible"};
  return names.at(static_cast<std::size_t>(allocation));
}
constexpr std::string_view name(Advice advice) {
  constexpr std::array names{"none", "preferred", "read-mostly", "accessed-by"};
  return names.at(static_cast<std::size_t>(advice));
}

struct MemoryKind {
  MemorySpace space;
  Allocation allocation;
  Pages pages;

  /// Memory that is registered has huge pages if nothing else is asked: it is pinned twice as
  /// fast.
  static constexpr Pages usual_pages(Allocation allocation) {
    return allocation == Allocation::Registered ? Pages::Huge : Pages::Default;
  }
  constexpr MemoryKind(MemorySpace of, Allocation by = Allocation::Default)
      : MemoryKind(of, by, usual_pages(by)) {}
  constexpr MemoryKind(MemorySpace of, Allocation by, Pages in)
      : space(of), allocation(by), pages(in) {}
};

/// Does it stay with this process when it is released? No other process can map such memory.
constexpr bool kept_in_pool(const MemoryKind& kind) { return kind.allocation == Allocation::Pool; }

/// The space of that name, or nothing.
constexpr std::optional<MemorySpace> memory_space_from_name(std::string_view text) {
  for (const SpaceRow& row : memory_space_table)
    if (row.name == text) return row.space;
  return std::nullopt;
}

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
