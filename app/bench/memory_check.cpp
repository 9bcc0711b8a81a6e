// The check that there is enough memory for a run, before anything is allocated.
#include "app/bench/memory_check.hpp"

#include "app/base/machine/report_head.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/record/text_report.hpp"
#include "app/base/runtime/failure.hpp"
#include "kernels/queue.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/host_memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

namespace memstencil {

namespace {

std::string lacking(const char* memory, double bytes, int ranks, double available) {
  return fmt::format("needs {} of {} memory{}, and {} are available here",
                     bytes_text(bytes * ranks), memory,
                     ranks > 1 ? fmt::format(" for {} ranks", ranks) : "", bytes_text(available));
}

}  // namespace

std::string shortage(Requirements requirements, const MemoryThere& there) {
  double gpu = requirements[Memory::Gpu], host = requirements[Memory::Host];
  if (const double beyond = gpu - there.gpu / there.ranks_of_gpu; beyond > 0.0) {
    const std::string note = there.note();
    if (!there.oversubscribe)
      return lacking("the GPU's", gpu, there.ranks_of_gpu, there.gpu) +
             (note.empty() ? "" : " (" + note + ")");
    host += beyond;
  }
  if (host * there.ranks_of_node > there.host)
    return lacking("host", host, there.ranks_of_node, there.host) +
           (there.host_limit.empty() ? "" : fmt::format(" ({})", there.host_limit));
  if (host > there.of_process)
    return fmt::format(
        "needs {} of host memory, and the limit of this process (ulimit -v) leaves {}, unless "
        "you raise it",
        bytes_text(host), bytes_text(there.of_process));
  return {};
}

std::string what_helps(const Remedies& remedies, const Requirements& requirements,
                       const MemoryThere& there) {
  Requirements elsewhere = requirements;
  std::swap(elsewhere[Memory::Gpu], elsewhere[Memory::Host]);
  std::vector<std::string> help{remedies.problem, "more nodes"};
  const auto add = [&](const std::string& remedy, bool helps) {
    if (helps) help.push_back(remedy);
  };
  add(remedies.other_memory, there.gpu_computes && shortage(elsewhere, there).empty());
  MemoryThere exceeded = there;
  exceeded.oversubscribe = true;
  add("--oversubscribe", there.may_exceed && shortage(requirements, exceeded).empty());
  return fmt::format("{}", fmt::join(help, " or "));
}

void check_memory(const std::string& what, const Remedies& remedies,
                  const Requirements& requirements, const Placement& placement,
                  const Communicator& communicator) {
  const bool on_gpu = memory_of(placement.space, Executor::Device) == Memory::Gpu;
  const MemoryThere there{
      .host = static_cast<double>(available_bytes(scratch_space(Executor::Host))),
      .gpu = static_cast<double>(
          available_bytes(on_gpu ? placement.kind() : scratch_space(Executor::Device))),
      .ranks_of_node = communicator.node_size(),
      .ranks_of_gpu = placement.ranks_of_gpu,
      .oversubscribe = placement.oversubscribe,
      .may_exceed = why_not_oversubscribed(placement.kind()).empty(),
      .gpu_computes = placement.executor == Executor::Device,
      .of_process = static_cast<double>(host_memory::address_space_bytes(host_threads() - 1)),
      .host_limit = host_memory::control_group_limit(),
      .note = [] { return page_cache_text(machine_facts()); }};
  collectively(communicator, [&] {
    if (const std::string lacks = shortage(requirements, there); !lacks.empty())
      throw Failure(ExitCode::Machine, fmt::format("{} {}; use {}", what, lacks,
                                                   what_helps(remedies, requirements, there)));
  });
}

}  // namespace memstencil
