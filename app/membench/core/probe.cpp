// The reasons why a probe cannot run (build, machine, memory), and the options that it takes.
#include "app/membench/core/probe.hpp"

#include "app/common/machine/memory_notes.hpp"
#include "app/common/record/text_report.hpp"
#include "app/common/runtime/failure.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::membench {

bool Probe::takes(const ProbeOption& option) const {
  return std::find(options.begin(), options.end(), &option) != options.end();
}

std::string refuse_without_driver() {
  std::string why;
  return built_for_gpu() && gpu_count(&why) == 0 ? why : std::string();
}

std::string refuse_without_gpu() {
  std::string why;
  return gpu_count(&why) > 0 ? support(MemorySpace::Managed, Executor::Device).reason
                             : "it measures what pages do between a host and a GPU: " + why;
}

std::string refuse_without_cuda() {
  if (!native_cuda)
    return "it is native CUDA, and this program is built without it (--preset cuda)";
  return refuse_without_driver();
}

void require_memory(MemorySpace space, std::size_t bytes) {
  const std::size_t there = available_bytes(space);
  if (bytes <= there) return;
  const std::string note = taken_from_gpu(space) ? page_cache_text(machine_facts()) : "";
  throw OutOfMemory(
      fmt::format("{} of {} memory are needed, and {} are available here{}; use a "
                  "smaller --size or --sizes",
                  bytes_text(static_cast<double>(bytes)), name(space),
                  bytes_text(static_cast<double>(there)), note.empty() ? "" : " (" + note + ")"));
}

std::size_t whole_pages(std::size_t bytes, std::size_t page_bytes) {
  if (bytes >= page_bytes) return bytes / page_bytes * page_bytes;
  throw Failure(ExitCode::Machine,
                fmt::format("--size: {} bytes are less than a page, which has {} bytes here", bytes,
                            page_bytes));
}

}  // namespace memstencil::membench
