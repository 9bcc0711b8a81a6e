// Is there room for what a probe is about to allocate, and is it a page?
#include "app/membench/core/memory_check.hpp"

#include "app/common/failure.hpp"
#include "app/common/text_report.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

namespace memstencil::membench {

void require_memory(MemorySpace space, std::size_t bytes) {
  const std::size_t there = available_bytes(space);
  if (bytes <= there) return;
  throw OutOfMemory(fmt::format("{} of {} memory are needed, and {} are available here; use a smaller --size",
                                bytes_text(static_cast<double>(bytes)), name(space),
                                bytes_text(static_cast<double>(there))));
}

std::size_t whole_pages(std::size_t bytes, std::size_t page_bytes) {
  if (bytes >= page_bytes) return bytes / page_bytes * page_bytes;
  throw Failure(
      ExitCode::Machine,
      fmt::format("--size: {} bytes are less than a page, which has {} bytes here", bytes, page_bytes));
}

}  // namespace memstencil::membench
