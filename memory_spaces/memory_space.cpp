// The command line's names of executors, page sizes, allocations and advice.
#include "memory_spaces/memory_space.hpp"

namespace memstencil {

std::string_view name(Executor executor) { return executor == Executor::Host ? "host" : "device"; }

std::string_view name(Pages pages) { return pages == Pages::Huge ? "huge" : "default"; }

std::string_view name(Allocation allocation) {
  constexpr std::array names{"default", "registered", "pool", "compressible"};
  return names.at(static_cast<std::size_t>(allocation));
}

std::string_view name(Advice advice) {
  constexpr std::array names{"none", "preferred", "read-mostly", "accessed-by"};
  return names.at(static_cast<std::size_t>(advice));
}

std::optional<MemorySpace> memory_space_from_name(std::string_view text) {
  for (const MemorySpace space : all_memory_spaces)
    if (name(space) == text) return space;
  return std::nullopt;
}

}  // namespace memstencil
