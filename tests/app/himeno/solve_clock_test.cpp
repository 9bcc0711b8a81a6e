// Pins the time of a run on several ranks: the same clock, read where MPI is called, agrees. And
// that no run is verified whose sums leave ranks out.
#include "app/himeno/result.hpp"
#include "tests/app/base/given_clock.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

namespace {

using memstencil::HostClock;
HostClock::time_point barrier_end, start, reduction_end;
bool looks = false;
constexpr int sweeps = 6;
bool largest_alone = false;  // in the place of a sum

}  // namespace

// The linker takes these instead of the library's, as MPI's profiling interface allows.
extern "C" int MPI_Barrier(MPI_Comm communicator) {
  const int result = PMPI_Barrier(communicator);
  if (looks) barrier_end = HostClock::look();
  return result;
}

extern "C" int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type,
                             MPI_Op operation, MPI_Comm communicator) {
  if (largest_alone && operation == MPI_SUM) operation = MPI_MAX;
  const int result = PMPI_Allreduce(send, receive, count, type, operation, communicator);
  if (looks && count == sweeps && type == MPI_DOUBLE) {  // of the sums of all sweeps
    reduction_end = HostClock::look();
    start = barrier_end;
    looks = false;
  }
  return result;
}

namespace memstencil::himeno {
namespace {

TEST(SolveTime, IsFromTheBarrierToTheEndOfTheReduction) {
  const Communicator communicator;
  const Plan plan = plan_of(host_options({34, 40, 50}, sweeps));
  const GivenClock clock(1);
  looks = true;
  const RunResult result = run_once(plan, communicator);
  const std::chrono::duration<double> own = reduction_end - start;
  // Its first look and its last are next to those.
  EXPECT_NEAR(result.solve_seconds, communicator.maximum(own.count()), 2);
  // The phases are one rank's: they add up to no more than the run.
  double phases = 0;
  for (const auto& [name, seconds] : result.phases) phases += seconds;
  EXPECT_LE(phases, result.total_seconds + 1e-9);
}

TEST(SumOverRanks, ThatLeavesSomeOutIsFound) {
  const Communicator communicator;
  if (communicator.size() == 1) GTEST_SKIP() << "the largest is the sum";
  const Plan plan = plan_of(host_options({19, 23, 37}, 7));
  largest_alone = true;
  const std::string line = refusal(ExitCode::Verification, [&] { run_once(plan, communicator); });
  largest_alone = false;
  EXPECT_EQ(line, "verification failed: the ranks' points do not add up to the grid's");
}

}  // namespace
}  // namespace memstencil::himeno
