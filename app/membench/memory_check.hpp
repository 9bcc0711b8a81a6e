// Is there room for what a probe is about to allocate?
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <cstddef>

namespace memstencil::membench {

/// Call before allocating. Spaces that share a memory have to be asked about with their sum.
/// @throws OutOfMemory with what is needed and what there is
void require_memory(MemorySpace space, std::size_t bytes);

}  // namespace memstencil::membench
