// The launcher of this process (mpirun, srun), as its environment tells: before MPI starts, and
// where MPI knows nothing of it. And the name of the MPI.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace memstencil {

struct Launcher {
  const char* size;  ///< the variable that has the number of ranks that it started
  const char* rank;  ///< the variable that has this one's number
  std::string_view name, remedy;
};

/// One of so many ranks.
struct LaunchedRank {
  const Launcher* launcher;
  int rank, ranks;
};

/// The nearest launcher that started several ranks: mpirun may run inside a step of srun. A shell
/// in a step of srun has the same variables.
std::optional<LaunchedRank> launched_rank();

/// Name and version out of what MPI_Get_library_version says: "Open MPI v4.1.4", "MPICH 4.0.2" (of
/// "MPICH Version:\t4.0.2"). The rest tells who built the package.
std::string mpi_name(const std::string& library_version);

}  // namespace memstencil
