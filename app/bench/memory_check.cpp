// The check that there is enough memory for a run, before anything is allocated.
#include "app/bench/memory_check.hpp"

#include "app/base/machine/memory_notes.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/record/text_report.hpp"
#include "app/base/runtime/failure.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/host_memory.hpp"

#include <fmt/format.h>

namespace memstencil {

std::string shortage(const std::vector<MemoryRequirement>& requirements, const MemoryThere& there) {
  for (const MemoryRequirement& first : requirements) {
    const bool of_gpu = there.of_gpu(first.space);
    double bytes = 0.0;
    for (const MemoryRequirement& each : requirements)
      if (there.of_gpu(each.space) == of_gpu) bytes += each.bytes;
    const int sharing = of_gpu ? there.ranks_of_gpu : there.ranks_of_node;
    const auto available = static_cast<double>(there.bytes(first.space));
    if (bytes * sharing <= available) {
      if (of_gpu || bytes <= there.of_process) continue;
      return fmt::format(
          "needs {} of host memory, and the limit of this process (ulimit -v) leaves {}, unless "
          "you raise it",
          bytes_text(bytes), bytes_text(there.of_process));
    }
    const std::string note = of_gpu ? there.note() : "";
    return fmt::format("needs {} of {} memory{}, and {} are available here{}",
                       bytes_text(bytes * sharing), of_gpu ? name(first.space) : "host",
                       sharing > 1 ? fmt::format(" for {} ranks", sharing) : "",
                       bytes_text(available), note.empty() ? "" : " (" + note + ")");
  }
  return {};
}

void check_memory(const std::string& what, const std::string& remedy,
                  const std::vector<MemoryRequirement>& requirements, const Placement& placement,
                  const Communicator& communicator) {
  const MemoryThere there{
      .of_gpu = [&](MemorySpace space) { return takes_gpu_memory(space, placement.executor); },
      .bytes = available_bytes,
      .ranks_of_gpu = placement.ranks_of_gpu,
      .ranks_of_node = communicator.node_size(),
      .of_process = static_cast<double>(host_memory::address_space_bytes()),
      .note = [] { return page_cache_text(machine_facts()); }};
  collectively(communicator, [&] {
    if (const std::string lacks = shortage(requirements, there); !lacks.empty())
      throw Failure(
          ExitCode::Machine,
          fmt::format("{} {}; use {}, more nodes, or another --memspace", what, lacks, remedy));
  });
}

}  // namespace memstencil
