// Lines of a report on this machine's memory system: its treatment of managed and system-allocated
// memory.
#include "app/base/machine/memory_notes.hpp"

#include "memory_spaces/system_reach.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace memstencil {

namespace {

/// From the attributes, which older results have, too.
SystemReach reach_of(const MachineFacts::Gpu& gpu) {
  return system_reach(gpu.pageable_memory_access.value_or(false),
                      gpu.uses_host_page_tables.value_or(false),
                      static_cast<int>(gpu.numa_node.value_or(-1)));
}

std::string reach_text(const MachineFacts::Gpu& gpu) {
  switch (reach_of(gpu)) {
    case SystemReach::None:
      return "the GPU does not reach system-allocated memory";
    case SystemReach::Hmm:
      return "HMM";
    case SystemReach::Ats:
      return fmt::format("ATS, GPU memory is NUMA node {}", gpu.numa_node.value_or(-1));
    case SystemReach::AtsDriverManaged:
      return "ATS, GPU memory is no NUMA node (CDMM)";
  }
  return {};
}

const char* on_or_off(bool on) { return on ? "on" : "off"; }

/// Of the GPU's node; null where the GPU is none, or its node is not known.
const MachineFacts::NumaNode* gpu_node(const MachineFacts& machine) {
  for (const MachineFacts::NumaNode& node : machine.memory.numa_nodes)
    if (machine.gpu->numa_node == node.node) return &node;
  return nullptr;
}

std::vector<std::string> notes_of_system_memory(const MachineFacts& machine) {
  const SystemReach reach = reach_of(*machine.gpu);
  std::vector<std::string> notes;
  if (reach == SystemReach::Hmm)
    notes.push_back(
        "the GPU reaches system-allocated memory by HMM: pages move by fault to whoever touches "
        "them, as managed ones do, and no access counter moves them");
  if (reach == SystemReach::AtsDriverManaged)
    notes.push_back(
        "the GPU's memory is no NUMA node (its driver keeps it, CDMM mode): system-allocated pages "
        "stay in the CPU's memory, also those that the GPU touches first; neither access counters "
        "nor prefetch move them, and the GPU reads and writes them over the link");
  if (reach != SystemReach::Ats) return notes;
  if (machine.gpu->counters_migrate == false)
    notes.push_back(
        "access counters move no pages here (switched off by a parameter of nvidia_uvm): "
        "system-allocated pages stay where they were touched first, and the GPU reaches those of "
        "the CPU over the link; --first-touch device or --prefetch puts them into its memory");
  constexpr std::int64_t small_page = 4096;
  if (machine.memory.page_bytes == small_page)
    notes.push_back(
        "pages of 4 KiB: NVIDIA's driver leaves the notifications of access counters for "
        "system-allocated memory unserved on such kernels, so that pages may stay where they were "
        "touched first");
  return notes;
}

/// If the GPU's memory is a NUMA node, the operating system manages the pages there.
std::vector<std::string> notes_of_gpu_node(const MachineFacts& machine) {
  std::vector<std::string> notes;
  if (machine.memory.numa_balancing.value_or(0) != 0)
    notes.push_back(
        "NUMA balancing is on (kernel.numa_balancing): the kernel unmaps pages to see who uses "
        "them, and the faults fall into the timed part");
  if (machine.memory.init_on_alloc == true)
    notes.push_back(
        "init_on_alloc is on: the kernel clears every page when it is allocated, those of the "
        "GPU's node, too; the phases allocate and initialise count it");
  return notes;
}

}  // namespace

std::string memory_system_text(const MachineFacts& machine) {
  if (!machine.gpu) return {};
  std::vector<std::string> parts{reach_text(*machine.gpu)};
  if (const auto& moves = machine.gpu->counters_migrate;
      moves && reach_of(*machine.gpu) == SystemReach::Ats)
    parts.push_back(fmt::format("migration by access counters {}", on_or_off(*moves)));
  const MachineFacts::Memory& memory = machine.memory;
  if (memory.page_bytes) parts.push_back(fmt::format("pages of {} KiB", *memory.page_bytes / 1024));
  if (memory.huge_pages.enabled)
    parts.push_back(fmt::format("transparent huge pages {}", *memory.huge_pages.enabled));
  if (memory.numa_balancing)
    parts.push_back(fmt::format("NUMA balancing {}", on_or_off(*memory.numa_balancing != 0)));
  if (memory.init_on_alloc)
    parts.push_back(fmt::format("init_on_alloc {}", on_or_off(*memory.init_on_alloc)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string page_cache_text(const MachineFacts& machine) {
  constexpr double worth_saying = 0.01;
  const MachineFacts::NumaNode* const node = machine.gpu ? gpu_node(machine) : nullptr;
  if (node == nullptr || !node->memory_bytes) return {};
  const auto cached = static_cast<double>(node->page_cache_bytes.value_or(0));
  if (cached <= worth_saying * static_cast<double>(*node->memory_bytes)) return {};
  return fmt::format(
      "{:.1f} GB of page cache lie in the GPU's node (NUMA node {}): cudaMemGetInfo counts them as "
      "taken, though the kernel would give them up",
      1e-9 * cached, node->node);
}

std::vector<std::string> memory_notes(const MachineFacts& machine,
                                      const std::set<MemorySpace>& spaces) {
  const auto in = [&](MemorySpace space) { return spaces.count(space) > 0; };
  const bool system = in(MemorySpace::SystemAllocated), managed = in(MemorySpace::Managed);
  std::vector<std::string> notes;
  if (!machine.gpu) return notes;
  if (system) notes = notes_of_system_memory(machine);
  if ((system || managed) && reach_of(*machine.gpu) == SystemReach::Ats)
    for (std::string& note : notes_of_gpu_node(machine)) notes.push_back(std::move(note));
  if (system || managed || in(MemorySpace::Device))
    if (std::string cached = page_cache_text(machine); !cached.empty())
      notes.push_back(std::move(cached));
  return notes;
}

}  // namespace memstencil
