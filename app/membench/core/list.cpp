// The list of probes: one entry each, in the order of `membench list` and `membench all`.
#include "app/membench/core/probes.hpp"
#include "memory_spaces/capabilities.hpp"

#include <utility>

namespace memstencil::membench {

namespace {

/// A build for CUDA can start nothing, not even a probe of the host, where no GPU answers.
std::string refuse_without_gpu() {
  std::string why;
  return built_for_gpu() && gpu_count(&why) == 0 ? why : std::string();
}

/// A probe that has something to measure on a host alone, too.
Probe anywhere(Probe probe, Run run) {
  probe.refused = refuse_without_gpu;
  probe.run = std::move(run);
  return probe;
}

/// A probe of what pages do between a host and a GPU.
Probe between_both(Probe probe, Run run) {
  probe.run = std::move(run);
  probe.refused = [] {
    std::string why;
    return gpu_count(&why) > 0 ? support(MemorySpace::Managed, Executor::Device).reason
                               : "it measures what pages do between a host and a GPU: " + why;
  };
  return probe;
}

/// A probe whose kernels are native CUDA.
Probe on_gpu(Probe probe) {
  probe.run = cuda_probe(probe.name);
  probe.refused = refuse_without_gpu;
  if (!probe.run)
    probe.refused = [] { return "it is native CUDA, and this program is built without it (--preset cuda)"; };
  return probe;
}

Probe link() {
  return anywhere({.name = "link",
                   .summary = "copies inside host and device memory, and over the link between them",
                   .source = "thesis 003, 4.1, lists 4.1-4.3",
                   .counted = "bytes read + written inside a memory, bytes one way over the link",
                   .sized = true},
                  run_link);
}

Probe patterns() {
  return between_both({.name = "patterns",
                       .summary = "copies by source, destination and executor: the 8 patterns by first touch",
                       .source = "thesis 003, 4.2.1, lists 4.4-4.7",
                       .counted = "bytes read + written",
                       .sized = true},
                      run_patterns);
}

Probe migration() {
  return between_both(
      {.name = "migration",
       .summary = "GPU, CPU and GPU again on the same arrays: where the pages go, and how fast",
       .source = "thesis 003, 4.2.2",
       .counted = "bytes read + written; pages by node where the system tells",
       .sized = true},
      run_migration);
}

Probe pages() {
  return anywhere(
      {.name = "pages",
       .summary = "allocation, first touch by host and by device, and release of memory",
       .source = "thesis 003, 2.5 (related work: first touch, initialisation of pages, page size)",
       .counted = "bytes allocated",
       .sized = true},
      run_pages);
}

Probe copy() {
  return on_gpu({.name = "copy",
                 .summary = "coalesced, offset and strided copies in device memory",
                 .source = "thesis 002, 4.2",
                 .counted = "bytes asked for, read + written; bytes really moved by 32-byte sectors",
                 .sized = true});
}

Probe latency() {
  return on_gpu({.name = "latency",
                 .summary = "the time of one dependent load over footprints from L1 to host memory",
                 .source = "thesis 002, table 3.1",
                 .counted = "dependent loads of one thread",
                 .sized = true});
}

Probe shared() {
  return on_gpu({.name = "shared",
                 .summary = "shared-memory loads by instructions, warps and bank conflicts, and a fit",
                 .source = "paper 000",
                 .counted = "cycles of the clock register, the empty measurement subtracted"});
}

Probe warp() {
  return on_gpu({.name = "warp",
                 .summary = "sums over a warp and a block: shuffle, shared memory, hardware reduction",
                 .source = "article 004",
                 .counted = "cycles a reduction, reductions per clock"});
}

Probe atomics() {
  return on_gpu({.name = "atomics",
                 .summary = "atomic operations on one address, one a warp, and spread",
                 .source = "article 004",
                 .counted = "operations per second and per clock"});
}

Probe registers() {
  return on_gpu({.name = "registers",
                 .summary = "one kernel at 24 to 255 registers a thread: time, occupancy, spilling",
                 .source = "article 004",
                 .counted = "seconds; spilled bytes as the compiler tells"});
}

Probe issue() {
  return on_gpu({.name = "issue",
                 .summary = "instructions per clock against resident warps and independent instructions",
                 .source = "article 004",
                 .counted = "instructions of the kind under test, per clock and multiprocessor"});
}

}  // namespace

const std::vector<Probe>& probes() {
  static const std::vector<Probe> list{link(),   patterns(), migration(), pages(),     copy(), latency(),
                                       shared(), warp(),     atomics(),   registers(), issue()};
  return list;
}

}  // namespace memstencil::membench
