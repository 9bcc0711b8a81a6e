// Facts of this build: revision, compiler and its flags, libraries.
#include "app/base/machine/program_facts.hpp"

#include "app/base/ranks/communicator.hpp"
#include "app/base/record/results_file.hpp"
#include "memory_spaces/capabilities.hpp"
#include "version.hpp"

#include <fmt/format.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

namespace memstencil {

namespace {

/// Its malloc decides on huge pages.
std::string c_library() {
#ifdef __GLIBC__
  return std::string("glibc ") + gnu_get_libc_version();
#else
  return "not glibc";
#endif
}

}  // namespace

Record program_record() {
  return {{"version", build::version},
          {"git_revision", build::git_revision},
          {"compiler", build::compiler},
          {"build_type", build::build_type},
          {"cxx_flags", build::cxx_flags},
          {"cuda_flags", built_for_gpu() ? Record(build::cuda_flags) : Record()},
          {"architecture", build::kokkos_architecture},
          {"optimised", optimised()},
          {"c_library", c_library()},
          {"kokkos", build::kokkos_version},
          {"gpu_backend", gpu_backend()},
          {"mpi",
           {{"library", Communicator::library()},
            {"gpu_aware", Communicator::gpu_aware()},
            {"gpu_switches", Communicator::gpu_switches()}}}};
}

std::string version_text(const std::string& program) {
  return fmt::format(
      "{} {} (git {}), {}, {} (C++: {}{}), Kokkos {} ({}), GPU backend {}, MPI {}, {}", program,
      build::version, build::git_revision, build::compiler, build::build_type, build::cxx_flags,
      built_for_gpu() ? fmt::format("; CUDA: {}", build::cuda_flags) : "", build::kokkos_version,
      build::kokkos_architecture, gpu_backend(), Communicator::library(), hdf5_library());
}

std::string slow_build_text(std::string_view build_type, bool optimised) {
  if (optimised && build_type != "Debug") return {};
  return fmt::format("{}: its speeds say nothing about this machine (-DCMAKE_BUILD_TYPE=Release)",
                     build_type == "Debug" ? "a Debug build" : "built without optimisation");
}

std::string slow_build_text() { return slow_build_text(build::build_type, optimised()); }

}  // namespace memstencil
