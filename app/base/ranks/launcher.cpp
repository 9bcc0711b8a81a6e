// The launcher of this process (mpirun, srun), as its environment tells; the name of the MPI.
#include "app/base/ranks/communicator.hpp"

#include <array>
#include <cstdlib>
#include <regex>

namespace memstencil {

namespace {

// The nearest first.
constexpr std::array launchers{
    Launcher{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI's mpirun",
             "take the mpirun of the program's MPI"},
    Launcher{"PMI_SIZE", "PMI_RANK", "a launcher with PMI", "take the mpirun of the program's MPI"},
    Launcher{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun",
             "give srun --mpi=pmix or another that `srun --mpi=list` names"}};

}  // namespace

std::optional<LaunchedRank> launched_rank() {
  for (const Launcher& each : launchers) {
    const char *const size = std::getenv(each.size), *const rank = std::getenv(each.rank);
    if (size == nullptr) continue;
    if (std::atoi(size) < 2) return std::nullopt;
    return LaunchedRank{&each, rank == nullptr ? 0 : std::atoi(rank), std::atoi(size)};
  }
  return std::nullopt;
}

std::string mpi_name(const std::string& library_version) {
  const std::string line = library_version.substr(0, library_version.find_first_of(",\n"));
  static const std::regex mpich("(\\S+) Version\\s*:\\s*(\\S+).*");
  return std::regex_replace(line, mpich, "$1 $2");
}

}  // namespace memstencil
