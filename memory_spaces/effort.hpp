// The effort that memory asks of a program: its allocations and what it moves by itself, counted
// where Buffer allocates and where movement.hpp moves ([tsukuba-thesis-2024], lists 3.1 and 3.2).
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace memstencil {

/// Calls, and the bytes that they asked for.
struct Calls {
  std::int64_t count = 0;
  double bytes = 0;

  Calls& operator+=(const Calls& other);
  bool operator==(const Calls&) const = default;
};

/// The calls of this process since it started. Each allocation is a pointer to keep.
struct MemoryEffort {
  std::array<Calls, all_memory_spaces.size()> allocations;  ///< in the order of all_memory_spaces
  Calls copies;                                             ///< copy() and start_copy()
  Calls prefetches;
  std::int64_t advices = 0;  ///< other than None

  Calls& of(MemorySpace space) { return allocations[static_cast<std::size_t>(space)]; }
  const Calls& of(MemorySpace space) const { return allocations[static_cast<std::size_t>(space)]; }
};

MemoryEffort memory_effort();
/// The calls between the two.
MemoryEffort operator-(MemoryEffort later, const MemoryEffort& earlier);

namespace effort {
// Called where it happens, by any thread.
void allocated(MemorySpace space, std::size_t bytes);
void copied(std::size_t bytes);
void prefetched(std::size_t bytes);
void advised();
}  // namespace effort

}  // namespace memstencil
