// The command line's names of spaces, executors, page sizes and advice.
#include "memory_spaces/memory_space.hpp"

namespace memstencil {

std::string_view name(Executor executor) { return executor == Executor::Host ? "host" : "device"; }

std::string_view name(Pages pages) { return pages == Pages::Huge ? "huge" : "default"; }

std::string_view name(Advice advice) {
  switch (advice) {
    case Advice::None:
      return "none";
    case Advice::Preferred:
      return "preferred";
    case Advice::ReadMostly:
      return "read-mostly";
    case Advice::AccessedBy:
      return "accessed-by";
  }
  return "?";
}

std::optional<MemorySpace> memory_space_from_name(std::string_view text) {
  for (const MemorySpace space : all_memory_spaces)
    if (name(space) == text) return space;
  return std::nullopt;
}

std::string memory_space_names(std::string_view separator) {
  std::string out;
  for (const MemorySpace space : all_memory_spaces) {
    if (!out.empty()) out += separator;
    out += name(space);
  }
  return out;
}

}  // namespace memstencil
