// The origin of a result: when it was taken, by which command line, on which hosts, GPUs and CPUs.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/record/record.hpp"
#include "app/base/record/text_report.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace memstencil {

/// The CPUs that this process was given, before any library bound its threads, as the kernel writes
/// lists: "0-3,8"; empty if it is not known. libgomp binds the main thread while the program is
/// loaded (OMP_PROC_BIND), and /proc then gives one place for it.
std::string cpus_at_start();
/// The numbers that such a list names, each once and in order; none if it is empty or no list.
std::vector<int> numbers_listed(const std::string& list);
/// How many CPUs such a list names.
inline int count_cpus(const std::string& list) {
  return static_cast<int>(numbers_listed(list).size());
}

/// The beginning of a program.
struct ProgramStart {
  ProgramStart(int argc, const char* const* argv);

  std::chrono::system_clock::time_point time;
  std::chrono::steady_clock::time_point clock;
  std::string command_line;  ///< as typed, quoted for a shell where needed
};

/// The record `provenance` (docs/reference/result-format.md). Of its environment it has the
/// variables of rank 0 that change results: OMP_*, GOMP_*, KMP_*, KOKKOS_*, CUDA_*, NCCL_*, UCX_*,
/// FI_*, OMPI_MCA_*, PRTE_MCA_*, PMIX_MCA_*, MPICH_*, MPIR_CVAR_*, I_MPI_*, MEMSTENCIL_*.
struct Provenance {
  Record record = Record::object();
  operator const Record&() const { return record; }
};

/// Of each rank: {"host"; "gpu" (UUID) and "gpu_pci", or null; "cpus" on which its threads may run,
/// as the kernel writes lists; "threads" of the host; "seconds"}. Collective.
/// @param mine the rank's own times, of its work and of waiting for others: {"sweep", "halo"} are
/// medians; {"transpose", "pack", "exchange"} means of an iteration
std::vector<Record> all_ranks(const HostThreads& threads, const Named<double>& mine,
                              const Communicator& communicator);

/// Collective.
/// @param mine as in all_ranks()
Provenance provenance_of(const ProgramStart& start, const HostThreads& threads,
                         const Named<double>& mine, const Communicator& communicator);

/// "6 threads of 3 ranks share 4 CPUs of HOST: ...", of the first host whose ranks have more
/// threads than CPUs; empty if there is none.
/// @param ranks as all_ranks() gives them
std::string shared_cpus(const Record& ranks);

/// Lines for a person: time, job, hosts; the slowest rank where it is more than 5 % behind the
/// median of the ranks; and CPUs that are shared by more threads than there are.
Lines lines_of(const Provenance& provenance);

}  // namespace memstencil
