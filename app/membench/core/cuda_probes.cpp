// The probes that are native CUDA, in a build that has it.
#include "app/membench/core/probes.hpp"

#include <functional>
#include <map>
#include <string>

namespace memstencil::membench {

Run cuda_probe(std::string_view name) {
  static const std::map<std::string, Run, std::less<>> runs{
      {"atomics", run_atomics},     {"copy", run_copy},     {"issue", run_issue}, {"latency", run_latency},
      {"registers", run_registers}, {"shared", run_shared}, {"warp", run_warp}};
  const auto found = runs.find(name);
  return found != runs.end() ? found->second : Run();
}

}  // namespace memstencil::membench
