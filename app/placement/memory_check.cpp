// The check that there is enough memory for a run, before anything is allocated.
#include "app/placement/memory_check.hpp"

#include "app/common/ranks/collectively.hpp"
#include "app/common/record/text_report.hpp"
#include "app/placement/place.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/host_memory.hpp"

#include <fmt/format.h>

namespace memstencil {

namespace {

void check(const std::string& what, const std::string& remedy,
           const std::vector<MemoryRequirement>& requirements, const Placement& placement,
           const Communicator& communicator) {
  const auto on_gpu = [&](MemorySpace space) {
    return takes_gpu_memory(space, placement.executor);
  };
  for (const MemoryRequirement& first : requirements) {
    double bytes = 0.0;
    for (const MemoryRequirement& each : requirements)
      if (on_gpu(each.space) == on_gpu(first.space)) bytes += each.bytes;
    // Ranks of a node share its host memory; those on one GPU share that.
    const int sharing = on_gpu(first.space) ? placement.ranks_of_gpu : communicator.node_size();
    const double there = static_cast<double>(available_bytes(first.space));
    // A limit of each rank for itself (ulimit -v).
    const auto own = static_cast<double>(host_memory::address_space_bytes());
    if (!on_gpu(first.space) && bytes > own)
      throw Failure(ExitCode::Machine,
                    fmt::format("{} needs {} of host memory, and the limit of this process (ulimit "
                                "-v) leaves {}; use {}, or raise the limit",
                                what, bytes_text(bytes), bytes_text(own), remedy));
    if (bytes * sharing <= there) continue;
    throw Failure(
        ExitCode::Machine,
        fmt::format(
            "{} needs {} of {} memory{}, and {} are available here; use {}, more "
            "nodes, or another --memspace",
            what, bytes_text(bytes * sharing),
            on_gpu(first.space) ? support(first.space, placement.executor).effective : "host",
            sharing > 1 ? fmt::format(" for {} ranks", sharing) : "", bytes_text(there), remedy));
  }
}

}  // namespace

void check_memory(const std::string& what, const std::string& remedy,
                  const std::vector<MemoryRequirement>& requirements, const Placement& placement,
                  const Communicator& communicator) {
  collectively(communicator, [&] { check(what, remedy, requirements, placement, communicator); });
}

}  // namespace memstencil
