// What is asked of an allocation: a memory space, the call that allocates, and its pages.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <array>
#include <string_view>

namespace memstencil {

/// The call that allocates.
enum class Allocation {
  Default,      ///< what programs call: cudaHostAlloc, cudaMalloc, cudaMallocManaged, mmap
  Registered,   ///< mmap, touched by all threads of the host, cudaHostRegister
  Pool,         ///< a stream-ordered pool, which keeps what is released
  Compressible  ///< memory that the GPU compresses: its bytes stay, their bandwidth grows
};
inline constexpr std::array all_allocations{Allocation::Default, Allocation::Registered,
                                            Allocation::Pool, Allocation::Compressible};
std::string_view name(Allocation allocation);

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

}  // namespace memstencil
