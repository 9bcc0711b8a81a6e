// Device memory that other processes of the node reach by their own kernels (CUDA IPC).
#pragma once

#include "memory_spaces/buffer.hpp"

#include <string>

namespace memstencil {

/// What another process of the node needs to reach this buffer: bytes to be sent to it.
/// @throws UnsupportedSpace for memory that cannot be shared
std::string share(const Buffer& buffer);

/// A buffer of another process, for as long as this object lives. Its owner must keep it longer.
class PeerMemory {
public:
  /// @param shared as share() gave it to its owner
  /// @throws UnsupportedSpace if this process's GPU does not reach the other one
  explicit PeerMemory(const std::string& shared);
  ~PeerMemory();
  PeerMemory(PeerMemory&& other) noexcept;
  PeerMemory& operator=(PeerMemory&&) = delete;

  /// Its first byte, as kernels of this process see it.
  char* data() const { return static_cast<char*>(data_); }

private:
  void* data_ = nullptr;
};

}  // namespace memstencil
