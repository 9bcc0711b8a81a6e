// The start of a program on all of its ranks: it reads the command line.
#include "app/common/cli/start.hpp"

#include "app/common/machine/cpus_at_start.hpp"
#include "app/common/ranks/collectively.hpp"

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

/// The reason why this process, of a run of `size` ranks, was meant to be one of several; empty if
/// it was not. A launcher (mpirun, or srun with another or no MPI) that does not reach the
/// program's MPI makes each rank a run of its own, all of which pass as runs of one rank.
std::string refuse_lone_ranks(int size) {
  if (size > 1) return {};
  for (const Launcher& each : launchers) {
    const char* started = std::getenv(each.size);
    if (started == nullptr) continue;
    if (std::atoi(started) <= 1) return {};
    return fmt::format(
        "{} started {} ranks ({}), and each would run alone: MPI ({}) knows of one; {}", each.name,
        started, each.size, Communicator::library(), each.remedy);
  }
  return {};
}

}  // namespace

bool read_command_line(CommandLine& line, int argc, const char* const* argv,
                       const Communicator& communicator) {
  const auto text = collectively(communicator, [&] { return line.parse(argc, argv); });
  if (text && communicator.root()) print_result(*text);
  if (!text)
    if (const std::string reason = refuse_lone_ranks(communicator.size()); !reason.empty())
      throw CollectiveFailure(ExitCode::Usage, reason);
  return !text;
}

void warn_of_shared_cpus(const std::string& program, int threads,
                         const Communicator& communicator) {
  const int cpus = count_cpus(cpus_at_start());
  const bool shared = cpus > 0 && threads > cpus;
  std::array<double, 2> worst{shared ? threads : 0.0, shared ? 1.0 / cpus : 0.0};
  communicator.maximum(worst);
  if (worst[0] == 0 || !communicator.root()) return;
  fmt::print(stderr,
             "{}: {} host threads of a rank share {:.0f} of the CPUs, and figures of the host are "
             "low: give a rank more (Open MPI: --map-by node:PE={}), or set OMP_NUM_THREADS\n",
             program, worst[0], 1 / worst[1], worst[0]);
}

}  // namespace memstencil
