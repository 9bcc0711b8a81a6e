// The text of --version.
#include "app/common/cli/version_text.hpp"

#include "app/common/ranks/communicator.hpp"
#include "memory_spaces/capabilities.hpp"
#include "version.hpp"

#include <fmt/format.h>

namespace memstencil {

std::string version_text(const std::string& program) {
  return fmt::format("{} {} (git {}), {}, {}, Kokkos {}, GPU backend {}, MPI {}", program,
                     build::version, build::git_revision, build::compiler, build::build_type,
                     build::kokkos_version, gpu_backend(), Communicator::library());
}

}  // namespace memstencil
