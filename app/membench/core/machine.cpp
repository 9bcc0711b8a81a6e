// The reasons why this build or machine cannot measure, and memory that is asked for before it is
// allocated.
#include "app/membench/core/machine.hpp"

#include "app/base/machine/machine_facts.hpp"
#include "app/base/machine/report_head.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/text_report.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <climits>

namespace memstencil::membench {

std::string why_not(const Probe& probe, const Communicator* ranks) {
  std::string no_gpu;
  const int gpus = gpu_count(&no_gpu);
  if (probe.needs == Needs::Ranks && (ranks == nullptr || ranks->size() == 1))
    return "it measures messages between ranks: start it alone, by mpirun -np 2 or more";
  if (probe.start == nullptr)
    return "it is native CUDA, and this program is built without it (--preset cuda)";
  if (probe.needs == Needs::Gpu)
    return gpus > 0 ? support(MemorySpace::Managed, Executor::Device).reason
                    : "it measures what pages do between a host and a GPU: " + no_gpu;
  if (gpus == 0 && (built_for_gpu() || probe.needs == Needs::Cuda || probe.needs == Needs::Gpus))
    return no_gpu;
  if (probe.needs == Needs::Gpus && gpus < 2) return "it needs two GPUs, and one answers";
  return {};
}

void require_memory(MemorySpace space, std::size_t bytes) {
  const std::size_t there = available_bytes(space);
  if (bytes <= there) return;
  const std::string note = taken_from_gpu(space) ? page_cache_text(machine_facts()) : "";
  throw Failure(
      ExitCode::Machine,
      fmt::format("{} of {} memory are needed, and {} are available here{}; use a "
                  "smaller --size",
                  bytes_text(static_cast<double>(bytes)), name(space),
                  bytes_text(static_cast<double>(there)), note.empty() ? "" : " (" + note + ")"));
}

void take_memory_from_node(int node) {
  constexpr std::size_t bits = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, 1024 / bits> mask{};
  mask[static_cast<std::size_t>(node) / bits] = 1UL << (static_cast<std::size_t>(node) % bits);
  constexpr int bind = 2;  // MPOL_BIND of linux/mempolicy.h, which not every system has
  if (syscall(SYS_set_mempolicy, bind, mask.data(), 1024UL) == 0) return;
  throw Failure(ExitCode::Machine,
                fmt::format("--numa {}: no memory can be taken from this node; there are nodes {}",
                            node, first_line("/sys/devices/system/node/has_memory").value_or("0")));
}

}  // namespace memstencil::membench
