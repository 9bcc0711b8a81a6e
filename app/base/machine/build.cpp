// Compiled as timed code is; the rest of app/base has an optimisation level of its own.
#include "app/base/machine/build.hpp"

namespace memstencil {

bool optimised() {
#if defined(__OPTIMIZE__) && !defined(__CUDACC_DEBUG__)
  return true;
#else
  return false;
#endif
}

std::string slow_build_text(std::string_view build_type, bool optimised) {
  if (optimised && build_type != "Debug") return {};
  return std::string(build_type == "Debug" ? "a Debug build" : "built without optimisation") +
         ": its speeds say nothing about this machine (-DCMAKE_BUILD_TYPE=Release)";
}

}  // namespace memstencil
