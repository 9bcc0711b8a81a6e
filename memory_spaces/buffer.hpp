// Buffer: bytes owned in one memory space; the contract that every backend serves.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace memstencil {

/// Owns `bytes` bytes in one MemorySpace, aligned to at least 256 bytes, uninitialised: whoever
/// touches a page first decides where it lies, so nothing here touches one but where the memory is
/// pinned.
/// Lifetime: after Kokkos::initialize, before Kokkos::finalize. Release fences first. Kokkos' tools
/// are told of both.
class Buffer {
public:
  /// @param label the name under which Kokkos' tools know it
  /// @throws UnsupportedSpace with the reason and what to use instead
  /// @throws OutOfMemory if the allocator has not that much
  Buffer(const MemoryKind& kind, std::size_t bytes, std::string label = "buffer");

  void* data() const { return data_.get(); }
  /// 0 if they have been moved to another.
  std::size_t bytes() const { return data_ ? data_.get_deleter().bytes : 0; }
  MemorySpace space() const { return kind().space; }
  const MemoryKind& kind() const { return data_.get_deleter().kind; }
  /// May host code dereference data()? False only for device memory of a GPU.
  bool host_accessible() const;

private:
  struct Release {
    MemoryKind kind;
    std::size_t bytes;
    std::string label;
    void operator()(void* data) const noexcept;
  };
  std::unique_ptr<void, Release> data_;
};

}  // namespace memstencil
