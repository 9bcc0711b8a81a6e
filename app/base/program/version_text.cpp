// The text of --version.
#include "app/base/program/version_text.hpp"

#include "app/base/ranks/communicator.hpp"
#include "app/base/record/results_file.hpp"
#include "memory_spaces/capabilities.hpp"
#include "version.hpp"

#include <fmt/format.h>

namespace memstencil {

std::string version_text(const std::string& program) {
  const std::string hdf5 = hdf5_library();
  return fmt::format("{} {} (git {}), {}, {}, Kokkos {}, GPU backend {}, MPI {}, {}", program,
                     build::version, build::git_revision, build::compiler, build::build_type,
                     build::kokkos_version, gpu_backend(), Communicator::library(),
                     hdf5 == "none" ? "HDF5 none" : hdf5);
}

}  // namespace memstencil
