// The way in which a GPU reaches system-allocated memory, found from its driver's attributes.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace memstencil {

enum class SystemReach {
  None,  ///< not at all: the arrays of a GPU behind PCIe without HMM
  Hmm,   ///< by faults of the GPU, which move pages to it; the CPU's faults move them back
  Ats,   ///< through the host's page tables; the GPU's memory is a NUMA node that holds pages, too
  /// Through the host's page tables, but the GPU's memory is no NUMA node: its driver keeps it to
  /// itself (CDMM). Pages stay in the CPU's memory, whoever touches them first.
  AtsDriverManaged
};

/// "none", "HMM", "ATS", "ATS-CDMM".
constexpr std::string_view name(SystemReach reach) {
  constexpr std::array names{"none", "HMM", "ATS", "ATS-CDMM"};
  return names.at(static_cast<std::size_t>(reach));
}

/// @param pageable cudaDevAttrPageableMemoryAccess
/// @param host_tables cudaDevAttrPageableMemoryAccessUsesHostPageTables
/// @param gpu_node the NUMA node that is the GPU's memory (cudaDevAttrNumaId); negative: none
constexpr SystemReach system_reach(bool pageable, bool host_tables, int gpu_node) {
  if (!pageable) return SystemReach::None;
  if (!host_tables) return SystemReach::Hmm;
  return gpu_node >= 0 ? SystemReach::Ats : SystemReach::AtsDriverManaged;
}

/// "system-allocated memory is out of reach of ...": said if the reach is None.
inline std::string out_of_reach(const std::string& gpu) {
  return "system-allocated memory is out of reach of " + gpu +
         ": cudaDevAttrPageableMemoryAccess is 0 (neither ATS nor HMM)";
}

/// Empty, or why the driver of the GPU called `gpu` cannot follow the advice for system-allocated
/// memory, or without advice, why no prefetch takes the memory to it.
inline std::string why_not_system_moved(SystemReach reach, std::optional<Advice> advice,
                                        const std::string& gpu) {
  const std::string option = advice ? "--advise " + std::string(name(*advice)) : "--prefetch";
  const std::string remedy = "; " + option + " goes with --memspace managed";
  if (reach == SystemReach::None) return out_of_reach(gpu) + remedy;
  // Other advice than a preferred place does not say where pages should lie.
  if (reach == SystemReach::AtsDriverManaged && (!advice || *advice == Advice::Preferred))
    return "system-allocated memory does not move to " + gpu +
           ": its memory is no NUMA node (cudaDevAttrNumaConfig 0, as in CDMM mode)" + remedy;
  return {};
}

}  // namespace memstencil
