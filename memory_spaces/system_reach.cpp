// The way in which a GPU reaches system-allocated memory, found from its driver's attributes.
#include "memory_spaces/system_reach.hpp"

namespace memstencil {

namespace {

/// Empty, or why no page of system-allocated memory moves to the GPU, whatever `option` asks.
std::string refuse_system_moves(SystemReach reach, const std::string& gpu,
                                const std::string& option) {
  const std::string remedy = "; " + option + " goes with --memspace managed";
  if (reach == SystemReach::None) return out_of_reach(gpu) + remedy;
  if (reach == SystemReach::AtsDriverManaged)
    return "system-allocated memory does not move to " + gpu +
           ": its memory is no NUMA node (cudaDevAttrNumaConfig 0, as in CDMM mode)" + remedy;
  return {};
}

}  // namespace

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

std::string out_of_reach(const std::string& gpu) {
  return "system-allocated memory is out of reach of " + gpu +
         ": cudaDevAttrPageableMemoryAccess is 0 (neither ATS nor HMM)";
}

std::string refuse_system_prefetch(SystemReach reach, const std::string& gpu) {
  return refuse_system_moves(reach, gpu, "--prefetch");
}

std::string refuse_system_advice(SystemReach reach, Advice advice, const std::string& gpu) {
  if (advice == Advice::None) return {};
  // The other advice does not say where pages should lie.
  const bool moves = advice == Advice::Preferred;
  if (reach == SystemReach::AtsDriverManaged && !moves) return {};
  return refuse_system_moves(reach, gpu, "--advise " + std::string(name(advice)));
}

}  // namespace memstencil
