// Buffer: bytes owned in one memory space; the contract that every backend serves.
#pragma once

#include "memory_spaces/memory_kind.hpp"

#include <cstddef>
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
  /// @throws OutOfMemory where the allocator has not that much
  Buffer(const MemoryKind& kind, std::size_t bytes, std::string label = "buffer");
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  MemorySpace space() const { return kind_.space; }
  const MemoryKind& kind() const { return kind_; }
  /// May host code dereference data()? False only for device memory of a GPU.
  bool host_accessible() const;

private:
  void release() noexcept;

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  MemoryKind kind_;
  std::string label_;
};

}  // namespace memstencil
