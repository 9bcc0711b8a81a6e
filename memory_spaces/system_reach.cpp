// The way in which a GPU reaches system-allocated memory, found from its driver's attributes; and
// the rehearsal on a GPU that does not reach it.
#include "memory_spaces/system_reach.hpp"

#include "memory_spaces/memory_space.hpp"

namespace memstencil {

std::string_view name(SystemReach reach) {
  switch (reach) {
    case SystemReach::None:
      return "none";
    case SystemReach::Hmm:
      return "HMM";
    case SystemReach::Ats:
      return "ATS";
    case SystemReach::AtsDriverManaged:
      return "ATS-CDMM";
  }
  return "?";
}

SystemReach system_reach(bool pageable, bool host_tables, int gpu_node) {
  if (!pageable) return SystemReach::None;
  if (!host_tables) return SystemReach::Hmm;
  return gpu_node >= 0 ? SystemReach::Ats : SystemReach::AtsDriverManaged;
}

bool asks_for_rehearsal(const char* value) {
  const std::string_view asked = value == nullptr ? "" : value;
  if (asked.empty()) return false;
  if (asked != "ats")
    throw UnsupportedSpace("MEMSTENCIL_REHEARSE=" + std::string(asked) +
                           ": valid is ats; unset it for a measurement");
  return true;
}

std::string refuse_system_prefetch(SystemReach reach, const std::string& gpu) {
  if (reach == SystemReach::None)
    return "system-allocated memory is out of reach of " + gpu +
           ": cudaDevAttrPageableMemoryAccess is 0 (neither ATS nor HMM); --prefetch goes with "
           "--memspace managed";
  if (reach == SystemReach::AtsDriverManaged)
    return "system-allocated memory does not move to " + gpu +
           ": its memory is no NUMA node (cudaDevAttrNumaConfig 0, as in CDMM mode); --prefetch "
           "goes with --memspace managed";
  return {};
}

}  // namespace memstencil
