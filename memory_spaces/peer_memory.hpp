// Device memory that other processes of the node reach by their own kernels (CUDA IPC).
#pragma once

#include "memory_spaces/buffer.hpp"

#include <memory>
#include <string>

namespace memstencil {

/// What another process of the node needs to reach this buffer: bytes to be sent to it.
/// @throws UnsupportedSpace for memory that cannot be shared
std::string share(const Buffer& buffer);

/// The first byte of another process's buffer, as kernels of this process see it, for as long as
/// this is kept. The owner must keep the buffer longer.
/// @param shared as share() gave it to the owner
/// @throws UnsupportedSpace if this process's GPU does not reach the other one
std::shared_ptr<char> reach_shared(const std::string& shared);

}  // namespace memstencil
