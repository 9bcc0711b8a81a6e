// The start of a program on all of its ranks: it reads the command line.
#include "app/base/program/start.hpp"

#include "app/base/machine/provenance.hpp"
#include "app/base/ranks/collectively.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

namespace memstencil {

namespace {

struct Launcher {
  const char* size;  ///< the variable that names the ranks it started
  std::string_view name, remedy;
};

// The nearest first: mpirun may run inside a step of srun.
constexpr std::array launchers{
    Launcher{"OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun", "take the mpirun of the program's MPI"},
    Launcher{"PMI_SIZE", "a launcher with PMI", "take the mpirun of the program's MPI"},
    Launcher{"SLURM_STEP_NUM_TASKS", "srun",
             "give srun --mpi=pmix or another that `srun --mpi=list` names"}};

/// A line where this process, of a run of `size` ranks, may have been meant to be one of several;
/// else empty. A launcher (mpirun, or srun with another or no MPI) that does not reach the
/// program's MPI makes each rank a run of its own, all of which pass as runs of one rank. A shell
/// in a step of srun has the same variables.
std::string lone_rank(int size) {
  if (size > 1) return {};
  for (const Launcher& each : launchers) {
    const char* started = std::getenv(each.size);
    if (started == nullptr) continue;
    if (std::atoi(started) <= 1) return {};
    return fmt::format(
        "{} started {} ranks ({}), and MPI ({}) knows of this one alone: if all were meant to be "
        "one run, {}",
        each.name, started, each.size, Communicator::library(), each.remedy);
  }
  return {};
}

}  // namespace

bool read_command_line(CommandLine& line, int argc, const char* const* argv,
                       const Communicator& communicator) {
  const auto text = collectively(communicator, [&] { return line.parse(argc, argv); });
  if (text && communicator.root()) print_result(*text);
  if (!text)
    if (const std::string warning = lone_rank(communicator.size()); !warning.empty())
      fmt::print(stderr, "{}: {}\n", line.program(), warning);
  return !text;
}

void warn_of_shared_cpus(const std::string& program, int threads,
                         const Communicator& communicator) {
  const std::string shared = shared_cpus(all_ranks(threads, {}, communicator));
  if (!shared.empty() && communicator.root())
    fmt::print(stderr,
               "{}: {}: give each rank its own (Open MPI: --map-by node:PE={}), or set "
               "OMP_NUM_THREADS\n",
               program, shared, threads);
}

}  // namespace memstencil
