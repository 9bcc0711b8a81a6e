// The interface of a backend: backend_host.cpp or the *_cuda.cpp define these, and what
// capabilities.hpp and movement.hpp declare and capabilities.cpp does not define.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace memstencil::backend {

/// How a space is served by one call: a row of the backend's table. A "why not" is empty for yes;
/// otherwise one line with the space or option to use instead.
struct Row {
  MemorySpace space;
  Allocation allocation = Allocation::Default;
  const char* call;  ///< that allocates, as reports name it
  /// Errors as Buffer's constructor. Touches nothing that is not pinned. At least one byte.
  void* (*allocate)(const MemoryKind& kind, std::size_t bytes);
  /// The data may no longer be in use by any kernel.
  void (*release)(void* data, std::size_t bytes) noexcept;
  /// Bytes that may be allocated now.
  /// What a pool keeps is free for its own kind, and given back before others are asked for.
  std::size_t (*available)();
  std::string (*why_not)(Executor executor);
  /// For a prefetch, or for advice.
  std::string (*why_not_moved)(std::string_view space, std::optional<Advice> advice);
  bool has_huge_pages = false;  ///< can its pages be transparent huge pages?
  bool exceeds_gpu = false;     ///< can it exceed the GPU's free memory?
};
std::span<const Row> table();
/// Null if the backend has no such row.
const Row* row(const MemoryKind& kind);

/// Why this machine has none of the memory for the executor.
std::string why_not_computing(Executor executor);

}  // namespace memstencil::backend
