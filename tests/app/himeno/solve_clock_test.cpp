// Pins what the time of a run on several ranks is: a clock beside it, read where MPI is called,
// agrees. And that no run is verified whose sums leave ranks out.
#include "app/himeno/result.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

namespace {

using Clock = std::chrono::steady_clock;
Clock::time_point barrier_end, reduction_end;
bool reduction_is_next = false;
bool largest_alone = false;  // in the place of a sum

}  // namespace

// The linker takes these instead of the library's, as MPI's profiling interface allows.
extern "C" int MPI_Barrier(MPI_Comm communicator) {
  const int result = PMPI_Barrier(communicator);
  barrier_end = Clock::now();
  return result;
}

extern "C" int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type,
                             MPI_Op operation, MPI_Comm communicator) {
  if (largest_alone && operation == MPI_SUM) operation = MPI_MAX;
  const int result = PMPI_Allreduce(send, receive, count, type, operation, communicator);
  if (reduction_is_next) reduction_end = Clock::now();
  reduction_is_next = false;
  return result;
}

namespace memstencil::himeno {
namespace {

/// How far the time of one run is from the clock's, as a part of it.
double difference(const Plan& plan, const Communicator& communicator) {
  Clock::time_point start;
  const RunResult result = run_once(plan, communicator, [&](std::int64_t done, std::int64_t all) {
    if (done == 1) start = barrier_end;
    reduction_is_next = done == all;
  });
  const std::chrono::duration<double> own = reduction_end - start;
  const double seconds = communicator.maximum(own.count());
  // The phases are one rank's: they add up to no more than the run.
  double phases = 0;
  for (const auto& [name, seconds_of_phase] : result.phases) phases += seconds_of_phase;
  EXPECT_LE(phases, result.total_seconds + 1e-9);
  return result.solve_seconds / seconds - 1.0;
}

TEST(SolveTime, IsFromTheBarrierToTheEndOfTheReductionOnUnevenBlocks) {
  const Communicator communicator;
  const int size = communicator.size();
  // The last rank has one plane and waits for the others, which have two.
  Options options = host_options({2 * size + 1, 256, 256}, 100);
  options.ranks = {size, 1, 1};
  const Plan plan = plan_of(options);
  // A rank can lose its core between the two clocks: the best of ten counts.
  double least = 1.0;
  for (int n = 0; n < 10 && least > 0.01; ++n)
    least = std::min(least, std::abs(difference(plan, communicator)));
  EXPECT_LT(least, 0.01);
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
