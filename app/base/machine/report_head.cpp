// The head of every text report: what runs where, from the facts of the machine.
#include "app/base/machine/report_head.hpp"

#include "app/base/machine/memory_notes.hpp"

#include <fmt/format.h>

namespace memstencil {

Lines banner(const std::string& name, const MachineFacts& machine,
             const std::optional<Provenance>& provenance) {
  Lines lines;
  if (!machine.program) return lines;
  const auto known = [](const MachineFacts::Text& fact) { return fact.value_or("null"); };
  const MachineFacts::Program& program = *machine.program;
  append(lines, {{"program", fmt::format("{} {} (git {}), Kokkos {}, GPU backend {}", name,
                                         known(program.version), known(program.git_revision),
                                         known(program.kokkos), known(program.gpu_backend))},
                 {"MPI", fmt::format("{}, device pointers {}", known(program.mpi.library),
                                     program.mpi.gpu_aware == true ? "accepted" : "not accepted")},
                 {"host", known(machine.cpu.model)}});
  if (machine.gpu)
    lines.emplace_back(
        "GPU", fmt::format("{}, driver {}, address translation {}", machine.gpu->name,
                           known(machine.gpu->driver), known(machine.gpu->address_translation)));
  if (provenance) append(lines, lines_of(*provenance));
  return lines;
}

Lines memory_lines(const MachineFacts& machine, const std::set<MemorySpace>& spaces) {
  Lines lines;
  if (machine.gpu &&
      (spaces.count(MemorySpace::SystemAllocated) > 0 || spaces.count(MemorySpace::Managed) > 0))
    lines.emplace_back("memory system", memory_system_text(machine));
  for (const std::string& note : memory_notes(machine, spaces)) lines.emplace_back("note", note);
  return lines;
}

}  // namespace memstencil
