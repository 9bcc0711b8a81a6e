// The way in which a GPU reaches system-allocated memory, found from its driver's attributes.
#include "memory_spaces/system_reach.hpp"

#include <array>
#include <cstddef>

namespace memstencil {

std::string_view name(SystemReach reach) {
  constexpr std::array names{"none", "HMM", "ATS", "ATS-CDMM"};
  return names.at(static_cast<std::size_t>(reach));
}

SystemReach system_reach(bool pageable, bool host_tables, int gpu_node) {
  if (!pageable) return SystemReach::None;
  if (!host_tables) return SystemReach::Hmm;
  return gpu_node >= 0 ? SystemReach::Ats : SystemReach::AtsDriverManaged;
}

std::string out_of_reach(const std::string& gpu) {
  return "system-allocated memory is out of reach of " + gpu +
         ": cudaDevAttrPageableMemoryAccess is 0 (neither ATS nor HMM)";
}

std::string why_not_system_moved(SystemReach reach, std::optional<Advice> advice,
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
