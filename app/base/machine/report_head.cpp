// The head of every text report: program, host and GPU, and how the machine treats managed and
// system-allocated memory; from the facts of the machine.
#include "app/base/machine/report_head.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <vector>

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
  if (const auto balancing = machine.fact<int>("/memory/numa_balancing"))
    parts.push_back(fmt::format("NUMA balancing {}", on_or_off(*balancing != 0)));
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

Lines memory_lines(const MachineFacts& machine, const std::set<MemorySpace>& spaces) {
  Lines lines;
  if (!machine.has_gpu()) return lines;
  const bool system = spaces.contains(MemorySpace::SystemAllocated);
  const bool moves = std::any_of(spaces.begin(), spaces.end(), touch_makes_pages);
  const bool ats = reach_is(SystemReach::Ats, machine);
  if (moves) lines.emplace_back("memory system", memory_system_text(machine));
  const auto note = [&](bool applies, const std::string& text) {
    if (applies && !text.empty()) lines.push_back(memstencil::note(text));
  };
  note(system && reach_is(SystemReach::Hmm, machine),
       "the GPU reaches system-allocated memory by HMM: pages move by fault to whoever touches "
       "them, as managed ones do, and no access counter moves them");
  note(system && reach_is(SystemReach::AtsDriverManaged, machine),
       "the GPU's memory is no NUMA node (its driver keeps it, CDMM mode): system-allocated pages "
       "stay in the CPU's memory, also those that the GPU touches first; neither access counters "
       "nor prefetch move them, and the GPU reads and writes them over the link");
  note(system && ats && machine.fact<bool>("/gpu/counters_migrate") == false,
       "access counters move no pages here (switched off by a parameter of nvidia_uvm): "
       "system-allocated pages stay where they were touched first, and the GPU reaches those of "
       "the CPU over the link; --first-touch device or --prefetch puts them into its memory");
  note(system && ats && machine.fact<int>("/memory/page_bytes") == 4096,
       "pages of 4 KiB: NVIDIA's driver leaves the notifications of access counters for "
       "system-allocated memory unserved on such kernels, so that pages may stay where they were "
       "touched first");
  // If the GPU's memory is a NUMA node, the operating system manages the pages there.
  note(moves && ats && machine.fact<int>("/memory/numa_balancing").value_or(0) != 0,
       "NUMA balancing is on (kernel.numa_balancing): the kernel unmaps pages to see who uses "
       "them, and the faults fall into the timed part");
  note(moves && ats && machine.fact<bool>("/memory/init_on_alloc") == true,
       "init_on_alloc is on: the kernel clears every page when it is allocated, those of the "
       "GPU's node, too; the phases allocate and initialise count it");
  note(std::any_of(spaces.begin(), spaces.end(),
                   [](MemorySpace each) { return home(each) != Home::Host; }),
       page_cache_text(machine));
  return lines;
}

}  // namespace memstencil
