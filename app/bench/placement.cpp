// The placement of a run: the memory of its arrays and the processor that computes, as the command
// line asks, resolved for this machine or refused.
#include "app/bench/placement.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace memstencil {

namespace {

Executor processor_of(const PlacementOptions& options) {
  return options.executor.value_or(gpu_count() > 0 ? Executor::Device : Executor::Host);
}

std::optional<std::string> environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

/// "--memspace device --allocation pool"
std::string typed(const MemoryKind& kind) {
  std::string text = fmt::format("--memspace {}", name(kind.space));
  if (kind.allocation != Allocation::Default)
    text += fmt::format(" --allocation {}", name(kind.allocation));
  return text;
}

}  // namespace

void declare_placement_options(CommandLine& line, PlacementOptions& o) {
  line.subject("Memory and processor");
  line.choice("--memspace", o.memspace, all_memory_spaces,
              "Memory of the arrays\n"
              "host-pinned: the host's, locked so that the GPU reaches it\n"
              "device: the GPU's own\n"
              "managed: the driver moves its pages between the two\n"
              "system: malloc's");
  line.choice("--allocation", o.allocation, all_allocations,
              "How the arrays are allocated\n"
              "default: by cudaHostAlloc, cudaMalloc, cudaMallocManaged or mmap\n"
              "registered: host-pinned memory by mmap and cudaHostRegister\n"
              "pool: device or managed memory of a pool, which keeps it between repeats\n"
              "compressible: device memory that the GPU compresses: bandwidth is saved if values "
              "repeat, bytes are not");
  line.flag("--oversubscribe", o.oversubscribe,
            "Let managed memory exceed what the GPU has free: never on a GPU that others use");
  line.choice("--exec", o.executor, all_executors,
              "Processor that computes (default: device if a GPU answers, otherwise host)");
  line.integer("--gpu", o.gpu, 0, 1023,
               "Index of the one GPU that all ranks of a node use (default: each rank's index on "
               "its node, modulo the number of GPUs)");
  line.choice("--first-touch", o.first_touch, all_executors,
              "Processor that initialises the arrays (default: as --exec)");
  line.flag("--prefetch", o.prefetch,
            "Prefetch managed memory to the processor that computes: before the first touch, or "
            "after it if the other processor makes it");
  line.choice("--advise", o.advice, all_advice, "Advice to the driver about managed memory");
  line.custom(
      "--pages", "default|huge",
      [&o](const std::string& text) {
        o.pages = all_pages.at(CommandLine::index_of(text, {"default", "huge"}));
      },
      [&o] { return std::string(name(o.kind().pages)); },
      "Pages of host memory\n"
      "default: as the system is set\n"
      "huge: transparent huge pages, as registered memory always has");
  line.flag("--list-memspaces", o.list_memspaces,
            "Print the memory spaces that this machine serves, and why not the others, and end");
}

void refuse(const std::string& option, const std::string& reason) {
  if (!reason.empty()) throw Failure(ExitCode::Machine, option + ": " + reason);
}

int gpu_of_rank(std::optional<int> asked, int count, int node_rank) {
  if (asked && *asked >= count)
    refuse(
        fmt::format("--gpu {}", *asked),
        count == 0 ? "no GPU answers here" : fmt::format("this node has GPUs 0 to {}", count - 1));
  return count == 0 ? -1 : asked.value_or(node_rank % count);
}

Placement placement_of(const PlacementOptions& o, int ranks_of_gpu) {
  const Executor executor = processor_of(o);
  std::string no_gpu;
  if (executor == Executor::Device && gpu_count(&no_gpu) == 0)
    refuse("--exec device",
           no_gpu + (built_for_gpu() ? "; use --exec host in a build with --preset openmp"
                                     : "; use --exec host, or build with --preset cuda"));
  const Placement p{.space = o.memspace,
                    .allocation = o.allocation,
                    .pages = o.kind().pages,
                    .advice = o.advice,
                    .prefetch = o.prefetch,
                    .first_touch = o.first_touch.value_or(executor),
                    .executor = executor,
                    .ranks_of_gpu = ranks_of_gpu,
                    .oversubscribe = o.oversubscribe};
  refuse(typed(p.kind()), support(p.kind(), executor).reason);
  if (p.first_touch != executor) {
    // Device memory is touched by the host through a staging buffer.
    const bool staged = p.first_touch == Executor::Host && executor == Executor::Device &&
                        !support(p.kind(), Executor::Host).served;
    if (!staged)
      refuse(fmt::format("--first-touch {}", name(p.first_touch)),
             support(p.kind(), p.first_touch).reason);
  }
  refuse(fmt::format("--pages {}", name(p.pages)), why_not_pages(p.kind()));
  refuse(fmt::format("--advise {}", name(p.advice)), why_not_advice(p.kind(), p.advice));
  if (p.prefetch) refuse("--prefetch", why_not_prefetch(p.kind()));
  if (p.oversubscribe) refuse("--oversubscribe", why_not_oversubscribed(p.kind()));
  return p;
}

int ranks_of_gpu(const Communicator& communicator, const std::string& gpu) {
  const auto all = communicator.all_gather(gpu);
  return static_cast<int>(std::count(all.begin(), all.end(), gpu));
}

int processors(const Placement& placement, const Communicator& communicator) {
  const int sharing =
      placement.executor == Executor::Device ? placement.ranks_of_gpu : communicator.node_size();
  return static_cast<int>(std::lround(communicator.sum(1.0 / sharing)));
}

Machine this_machine(std::optional<int> asked_gpu, const Communicator& communicator) {
  Machine machine;
  collectively(communicator, [&] {
    machine.gpu = gpu_of_rank(asked_gpu, gpu_count(), communicator.node_rank());
    if (machine.gpu >= 0) select_gpu(machine.gpu);
  });
  machine.ranks_of_gpu = ranks_of_gpu(communicator, gpu_facts().uuid);
  const std::size_t free = machine.gpu >= 0 ? available_bytes(MemorySpace::Device) : 0;
  machine.gpu_bytes = static_cast<std::size_t>(
      communicator.minimum(static_cast<double>(free) / machine.ranks_of_gpu));
  return machine;
}

ExecutionRecord execution_of(Executor executor) {
  return {.space = KokkosRuntime::execution_space(executor),
          .host_threads = KokkosRuntime::host_threads().count,
          .proc_bind = environment("OMP_PROC_BIND"),
          .places = environment("OMP_PLACES")};
}

MemspaceRecord memspace_of(const Placement& p) {
  const Support served = support(p.kind(), p.executor);
  std::string allocation = served.allocation;
  if (const Support mapped = support(p.mapped_kind(), p.executor);
      mapped.allocation != served.allocation)
    allocation += "; what other ranks map: " + mapped.allocation;
  if (p.ranks > 1 && p.allocation == Allocation::Compressible)
    allocation += "; no other process can map it, so that peer is passed over";
  return {.requested = std::string(name(p.space)),
          .effective = served.effective,
          .allocation = allocation,
          .warm = {}};
}

std::string memspace_list(Format format) {
  Record rows = Record::array();
  std::string lines;
  const std::vector<MemoryKind> kinds = all_memory_kinds();
  std::size_t width = 0;
  for (const MemoryKind& kind : kinds) width = std::max(width, typed(kind).size());
  for (const Executor executor : all_executors)
    for (const MemoryKind& kind : kinds) {
      const Support s = support(kind, executor);
      Record row{{"exec", name(executor)},
                 {"memspace", name(kind.space)},
                 {"kind", name(kind.allocation)},
                 {"served", s.served}};
      if (s.served)
        row.update({{"effective", s.effective}, {"allocation", s.allocation}});
      else
        row["reason"] = s.reason;
      rows.push_back(row);
      lines += fmt::format(
          "--exec {:<6} {:<{}} : {}\n", name(executor), typed(kind), width,
          s.served ? fmt::format("yes, {} ({})", s.effective, s.allocation) : "no, " + s.reason);
    }
  return format == Format::Text ? lines : to_json({{"memspaces", rows}});
}

}  // namespace memstencil
