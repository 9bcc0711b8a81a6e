// The head of every text report: what runs where, and how the machine treats managed and
// system-allocated memory; from the facts of the machine.
#include "app/base/machine/report_head.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>

namespace memstencil {

namespace {

bool reach_is(SystemReach reach, const MachineFacts& machine) {
  return machine.text("/gpu/system_memory") == name(reach);
}

std::string reach_text(const MachineFacts& machine) {
  if (reach_is(SystemReach::Hmm, machine)) return "HMM";
  if (reach_is(SystemReach::Ats, machine))
    return fmt::format("ATS, GPU memory is NUMA node {}",
                       machine.fact<int>("/gpu/numa_node").value_or(-1));
  if (reach_is(SystemReach::AtsDriverManaged, machine))
    return "ATS, GPU memory is no NUMA node (CDMM)";
  return "the GPU does not reach system-allocated memory";
}

const char* on_or_off(bool on) { return on ? "on" : "off"; }

std::optional<bool> numa_balancing(const MachineFacts& machine) {
  const auto number = machine.fact<int>("/memory/numa_balancing");
  return number ? std::optional(*number != 0) : std::nullopt;
}

std::vector<std::string> notes_of_system_memory(const MachineFacts& machine) {
  std::vector<std::string> notes;
  if (reach_is(SystemReach::Hmm, machine))
    notes.push_back(
        "the GPU reaches system-allocated memory by HMM: pages move by fault to whoever touches "
        "them, as managed ones do, and no access counter moves them");
  if (reach_is(SystemReach::AtsDriverManaged, machine))
    notes.push_back(
        "the GPU's memory is no NUMA node (its driver keeps it, CDMM mode): system-allocated pages "
        "stay in the CPU's memory, also those that the GPU touches first; neither access counters "
        "nor prefetch move them, and the GPU reads and writes them over the link");
  if (!reach_is(SystemReach::Ats, machine)) return notes;
  if (machine.fact<bool>("/gpu/counters_migrate") == false)
    notes.push_back(
        "access counters move no pages here (switched off by a parameter of nvidia_uvm): "
        "system-allocated pages stay where they were touched first, and the GPU reaches those of "
        "the CPU over the link; --first-touch device or --prefetch puts them into its memory");
  constexpr std::int64_t small_page = 4096;
  if (machine.fact<std::int64_t>("/memory/page_bytes") == small_page)
    notes.push_back(
        "pages of 4 KiB: NVIDIA's driver leaves the notifications of access counters for "
        "system-allocated memory unserved on such kernels, so that pages may stay where they were "
        "touched first");
  return notes;
}

/// If the GPU's memory is a NUMA node, the operating system manages the pages there.
std::vector<std::string> notes_of_gpu_node(const MachineFacts& machine) {
  std::vector<std::string> notes;
  if (numa_balancing(machine) == true)
    notes.push_back(
        "NUMA balancing is on (kernel.numa_balancing): the kernel unmaps pages to see who uses "
        "them, and the faults fall into the timed part");
  if (machine.fact<bool>("/memory/init_on_alloc") == true)
    notes.push_back(
        "init_on_alloc is on: the kernel clears every page when it is allocated, those of the "
        "GPU's node, too; the phases allocate and initialise count it");
  return notes;
}

}  // namespace

Lines banner(const std::string& name, const MachineFacts& machine,
             const std::optional<Provenance>& provenance) {
  Lines lines;
  if (!machine.record.contains("program")) return lines;
  const auto known = [&](const char* fact) { return machine.text(fact).value_or("null"); };
  const bool gpu_aware = machine.fact<bool>("/program/mpi/gpu_aware") == true;
  append(lines, {{"program", fmt::format("{} {} (git {}), Kokkos {}, GPU backend {}", name,
                                         known("/program/version"), known("/program/git_revision"),
                                         known("/program/kokkos"), known("/program/gpu_backend"))},
                 {"MPI", fmt::format("{}, device pointers {}", known("/program/mpi/library"),
                                     gpu_aware ? "accepted" : "not accepted")},
                 {"host", known("/cpu/model")}});
  if (machine.has_gpu())
    lines.emplace_back("GPU",
                       fmt::format("{}, driver {}, address translation {}", known("/gpu/name"),
                                   known("/gpu/driver"), known("/gpu/address_translation")));
  if (provenance) append(lines, lines_of(*provenance));
  return lines;
}

std::string memory_system_text(const MachineFacts& machine) {
  if (!machine.has_gpu()) return {};
  std::vector<std::string> parts{reach_text(machine)};
  if (const auto moves = machine.fact<bool>("/gpu/counters_migrate");
      moves && reach_is(SystemReach::Ats, machine))
    parts.push_back(fmt::format("migration by access counters {}", on_or_off(*moves)));
  if (const auto bytes = machine.fact<std::int64_t>("/memory/page_bytes"))
    parts.push_back(fmt::format("pages of {} KiB", *bytes / 1024));
  if (const auto huge = machine.text("/memory/huge_pages/enabled"))
    parts.push_back("transparent huge pages " + *huge);
  if (const auto balancing = numa_balancing(machine))
    parts.push_back(fmt::format("NUMA balancing {}", on_or_off(*balancing)));
  if (const auto cleared = machine.fact<bool>("/memory/init_on_alloc"))
    parts.push_back(fmt::format("init_on_alloc {}", on_or_off(*cleared)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string page_cache_text(const MachineFacts& machine) {
  constexpr double worth_saying = 0.01;
  const auto gpu_node = machine.fact<int>("/gpu/numa_node");
  const Record nodes = machine.fact<Record>("/memory/numa_nodes").value_or(Record::array());
  for (const Record& node : nodes) {
    const Record& all = node["memory_bytes"];
    const Record& cached = node["page_cache_bytes"];
    if (!gpu_node || node["node"] != *gpu_node || all.is_null() || cached.is_null()) continue;
    if (cached.get<double>() <= worth_saying * all.get<double>()) continue;
    return fmt::format(
        "{:.1f} GB of page cache lie in the GPU's node (NUMA node {}): cudaMemGetInfo counts them "
        "as taken, though the kernel would give them up",
        1e-9 * cached.get<double>(), *gpu_node);
  }
  return {};
}

std::vector<std::string> memory_notes(const MachineFacts& machine,
                                      const std::set<MemorySpace>& spaces) {
  const auto in = [&](MemorySpace space) { return spaces.count(space) > 0; };
  const bool system = in(MemorySpace::SystemAllocated), managed = in(MemorySpace::Managed);
  std::vector<std::string> notes;
  if (!machine.has_gpu()) return notes;
  if (system) notes = notes_of_system_memory(machine);
  if ((system || managed) && reach_is(SystemReach::Ats, machine))
    for (std::string& note : notes_of_gpu_node(machine)) notes.push_back(std::move(note));
  if (system || managed || in(MemorySpace::Device))
    if (std::string cached = page_cache_text(machine); !cached.empty())
      notes.push_back(std::move(cached));
  return notes;
}

Lines memory_lines(const MachineFacts& machine, const std::set<MemorySpace>& spaces) {
  Lines lines;
  if (machine.has_gpu() &&
      (spaces.count(MemorySpace::SystemAllocated) > 0 || spaces.count(MemorySpace::Managed) > 0))
    lines.emplace_back("memory system", memory_system_text(machine));
  for (const std::string& note : memory_notes(machine, spaces)) lines.emplace_back("note", note);
  return lines;
}

}  // namespace memstencil
