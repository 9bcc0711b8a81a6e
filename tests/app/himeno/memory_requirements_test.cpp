// Pins what memory a run is said to take: with each choice that takes more, exactly that much more.
#include "app/himeno/plan.hpp"
#include "app/himeno/verify.hpp"

#include "app/grid/halo.hpp"

#include <gtest/gtest.h>

namespace memstencil::himeno {
namespace {

Plan plan_of(const std::array<int, 3>& ranks, int rank) {
  Options options;
  options.extents = {34, 66, 130};
  options.iterations = 1000;
  const int size = ranks[0] * ranks[1] * ranks[2];
  Plan plan;
  plan.options = options, plan.own = options;
  plan.placement = {};
  plan.placement.space = MemorySpace::SystemAllocated;
  plan.placement.first_touch = plan.placement.executor = Executor::Host;
  plan.subdomain = subdomain_of(options.extents, ranks, rank, size, 1);
  return plan;
}

double total(const Plan& plan, const ProblemMemory& memory) {
  double bytes = 0;
  for (const auto& [of, each] : memory_requirements(plan, memory)) bytes += each;
  return bytes;
}
double total(const Plan& plan) { return total(plan, plan.memory()); }

TEST(MemoryRequirements, CountTheCopyOfPThatIsSaved) {
  auto plan = plan_of({1, 1, 1}, 0);
  const double before = total(plan);
  plan.own.save_field = true;
  // Rows of 130 floats are padded to 160.
  EXPECT_EQ(total(plan) - before, 34.0 * 66 * 160 * sizeof(float));
  const double once = total(plan);
  plan.options.repeat = 5;
  EXPECT_EQ(total(plan), once) << "only the last repeat keeps p";
}

TEST(MemoryRequirements, AreThoseOfTwelveArraysForPackedCoefficients) {
  auto plan = plan_of({1, 1, 1}, 0);
  const double arrays = total(plan);
  plan.own.layout = jacobi::Layout::Packed;
  EXPECT_EQ(total(plan), arrays);
  // What is staged at a time: 2 of 34 planes of packed coefficients are less than an array, and one
  // plane of 5 is more.
  Grid grid = plan.subdomain.grid;
  EXPECT_EQ(staged_values(grid, {12, 1, 1}), grid.elements());
  grid.extents[0] = 5;
  EXPECT_EQ(staged_values(grid, {12, 1, 1}), 12 * grid.row(1, 0));
  EXPECT_EQ(staged_values(grid, {1, 1}), grid.elements());
}

TEST(MemoryRequirements, AreRightWhere64BitsDoNotCountTheValues) {
  auto plan = plan_of({1, 1, 1}, 0);
  plan.subdomain = subdomain_of({4194304, 2097152, 2097152}, {1, 1, 1}, 0, 1, 1);
  EXPECT_EQ(plan.memory().arrays, 14 * 0x1p64 * sizeof(float));
  EXPECT_EQ(plan.memory().staged, 0x1p64 * sizeof(float));
}

TEST(MemoryRequirements, CountTheRowsBetweenFusedSweepsOfAHost) {
  auto plan = plan_of({1, 1, 1}, 0);
  plan.subdomain = subdomain_of({5, 5, 10'000'000}, {1, 1, 1}, 0, 1, 1);
  const double single = total(plan);
  const auto take_temporal_8 = [&] { plan.sweep = sweep_offers(plan, {}, Communicator()).back(); };
  take_temporal_8();
  // Of each sweep but the last three planes of four rows, and two seams of two rows in 17 planes:
  // 560 rows, and each thread has its own. The arrays have 350.
  EXPECT_GE(total(plan) - single, 560.0 * 10'000'000 * sizeof(float));
  plan.subdomain = subdomain_of({2147483647, 3, 2147483647}, {1, 1, 1}, 0, 1, 1);
  take_temporal_8();
  EXPECT_GT(total(plan), 0x1p64) << "64 bits do not count the rows";
}

TEST(MemoryRequirements, CountWhatTheCheckOfTheTimeLoopEvaluates) {
  auto plan = plan_of({1, 1, 1}, 0);
  const auto checked = [&](int halo) {
    plan.subdomain = subdomain_of({500, 600, 700}, {1, 1, 1}, 0, 1, halo);
    ProblemMemory memory = plan.memory();
    memory.checked = 0;
    return total(plan) - total(plan, memory);
  };
  constexpr double of_point = 16 * 4;  // 14 arrays, and the result twice
  EXPECT_NEAR(checked(8), of_point * (1 << 19), 1) << "as many as are made at once";
  EXPECT_NEAR(checked(16), of_point * 136 * 136 * 136, 1) << "8^3 after 64 sweeps";
  plan.sweep.seams = 1;
  EXPECT_EQ(checked(16), 0) << "streamed sweeps are checked by a kernel";
}

TEST(MemoryRequirements, CountTheHostsPagesOfManagedArraysThatItTouchesFirst) {
  auto plan = plan_of({1, 1, 1}, 0);
  plan.placement.executor = Executor::Device;
  plan.placement.space = MemorySpace::Managed;
  const auto host_bytes = [&](Executor first_touch) {
    plan.placement.first_touch = first_touch;
    return memory_requirements(plan, plan.memory())[Memory::Host];
  };
  EXPECT_EQ(host_bytes(Executor::Host) - host_bytes(Executor::Device), plan.memory().arrays);
}

TEST(MemoryRequirements, CountTheMessagesToEveryNeighbour) {
  auto plan = plan_of({3, 1, 1}, 1);
  const double with = total(plan);
  plan.transport = Transport::Peer;  // it has none
  // Two layers one point wide, sent and received: rows of 130 floats with their pads.
  EXPECT_EQ(with - total(plan), 2 * 2.0 * 66 * 160 * sizeof(float));
}

TEST(MemoryRequirements, OfMessagesAreThoseOfWholeRowsLinesAndHugePages) {
  const auto bytes = [](const Triple& extents, const std::array<int, 3>& ranks, int halo) {
    const int size = ranks[0] * ranks[1] * ranks[2];
    return halo_bytes(subdomain_of(extents, ranks, 0, size, halo), Transport::Staged,
                      sizeof(float));
  };
  EXPECT_EQ(bytes({34, 66, 130}, {1, 1, 1}, 1), 0.0);
  EXPECT_EQ(bytes({34, 66, 130}, {2, 1, 1}, 1), 2.0 * 66 * 160 * 4);
  EXPECT_EQ(bytes({34, 66, 130}, {1, 2, 1}, 3), 2.0 * 3 * 34 * 160 * 4);
  EXPECT_EQ(bytes({34, 66, 130}, {1, 1, 2}, 1), 2.0 * 9088) << "34 * 66 floats end in a line";
  EXPECT_EQ(bytes({66, 1000, 1000}, {1, 2, 2}, 1), 1.0 * (1 << 21)) << "a quarter of it is sent";
}

}  // namespace
}  // namespace memstencil::himeno
