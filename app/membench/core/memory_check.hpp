// Is there room for what a probe is about to allocate, and is it a page?
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <cstddef>

namespace memstencil::membench {

/// Call before allocating. Spaces that share a memory have to be asked about with their sum.
/// @throws OutOfMemory with what is needed and what there is
void require_memory(MemorySpace space, std::size_t bytes);

/// The bytes of the whole pages among `bytes`.
/// @throws Failure(Machine) where there is none: machines differ in the size of their pages
std::size_t whole_pages(std::size_t bytes, std::size_t page_bytes);

}  // namespace memstencil::membench
