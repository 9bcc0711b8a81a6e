// The origin of a result: when it was taken, by which command line, on which hosts, GPUs and CPUs.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/record/archive.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// The beginning of a program.
struct ProgramStart {
  ProgramStart(int argc, const char* const* argv);

  std::chrono::system_clock::time_point time;
  std::chrono::steady_clock::time_point clock;
  std::string command_line;  ///< as typed, quoted for a shell where needed
};

/// The record `provenance`.
struct Provenance {
  struct Job {
    std::string scheduler, number;  ///< "PBS", "NQSV" or "Slurm"
  };
  struct Rank {
    std::string host;
    std::optional<std::string> gpu, gpu_pci;  ///< UUID and PCI address of the GPU that it uses
    std::string cpus;                         ///< that it was given, as the kernel writes lists
    int threads = 1;                          ///< of the host
    /// The rank's own times, of its work and of waiting for others: {"sweep", "halo"} are
    /// medians; {"transpose", "pack", "exchange"} means of an iteration.
    Named<double> seconds;
  };

  std::string started;  ///< UTC, ISO 8601
  double seconds = 0;   ///< from there to the result
  std::string command_line;
  std::optional<Job> job;
  /// Variables of rank 0 that change results: OMP_*, GOMP_*, KMP_*, KOKKOS_*, CUDA_*, NCCL_*,
  /// UCX_*, FI_*, OMPI_MCA_*, MPICH_*, MEMSTENCIL_*.
  Named<std::string> environment;
  std::vector<std::string> hosts;  ///< each once, in the order of the ranks
  bool ranks_share_hosts = false;
  std::vector<Rank> ranks;
};
void describe(Archive& a, Provenance& provenance);

/// All ranks. Collective.
/// @param mine what this rank timed: Provenance::Rank::seconds
std::vector<Provenance::Rank> all_ranks(int host_threads, const Named<double>& mine,
                                        const Communicator& communicator);

/// Collective.
/// @param mine as in all_ranks()
Provenance provenance_of(const ProgramStart& start, int host_threads, const Named<double>& mine,
                         const Communicator& communicator);

/// "6 threads of 3 ranks share 4 CPUs of HOST: ...", of the first host whose ranks have more
/// threads than CPUs; empty where there is none.
std::string shared_cpus(const std::vector<Provenance::Rank>& ranks);

/// Lines for a person: time, job, hosts; the slowest rank where it is more than 5 % behind the
/// median of the ranks; and CPUs that are shared by more threads than there are.
std::vector<std::pair<std::string, std::string>> lines_of(const Provenance& provenance);

}  // namespace memstencil
