// The launcher of this process (mpirun, srun), as its environment tells: before MPI starts, and
// where MPI knows nothing of it.
#pragma once

#include <optional>
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

/// Is --help, -h or --version among the arguments? Their text needs no MPI, which may not start on
/// a login node.
bool asks_for_text(int argc, const char* const* argv);

}  // namespace memstencil
