// The interface of a backend: one source file of the two, backend_host.cpp or backend_cuda.cpp,
// defines these and everything in capabilities.hpp, movement.hpp and pinned_pages.hpp.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <cstddef>

namespace memstencil::backend {

/// Errors as Buffer's constructor. Touches nothing.
void* allocate(MemorySpace space, std::size_t bytes, Pages pages);
/// The data may no longer be in use by any kernel.
void release(MemorySpace space, void* data, std::size_t bytes) noexcept;
/// May host code dereference memory of this space?
bool host_accessible(MemorySpace space);
/// The selected GPU. In a build for CUDA alone.
int current_gpu();

}  // namespace memstencil::backend
