// Pins what memory a run is said to take: with each choice that takes more, exactly that much more.
#include "app/himeno/demands.hpp"

#include "app/common/record.hpp"

#include <gtest/gtest.h>

#include <map>

namespace memstencil::himeno {
namespace {

Setup setup_of(const std::array<int, 3>& ranks, int rank) {
  Options options;
  options.extents = {34, 66, 130};
  options.iterations = 1000;
  const int size = ranks[0] * ranks[1] * ranks[2];
  const Placement placement{.space = MemorySpace::SystemAllocated,
                            .pages = Pages::Default,
                            .advice = Advice::None,
                            .prefetch = false,
                            .first_touch = Executor::Host,
                            .executor = Executor::Host,
                            .ranks_of_gpu = 1};
  return {.options = options,
          .placement = placement,
          .placement_of_p = placement,
          .part = subdomain(options.extents, ranks, rank, size, 1),
          .halo = HaloPath::Staged,
          .fma = false,
          .window_bytes = 0,
          .variant = 0,
          .note = {},
          .gpu_exchange = nullptr};
}

double total(const Setup& setup) {
  double bytes = 0;
  for (const Demand& demand : demands(setup)) bytes += demand.bytes;
  return bytes;
}

TEST(Demands, CountTheCopyOfPThatIsSaved) {
  auto setup = setup_of({1, 1, 1}, 0);
  const double before = total(setup);
  setup.options.save_field = true;
  // Rows of 130 floats are padded to 160.
  EXPECT_EQ(total(setup) - before, 34.0 * 66 * 160 * sizeof(float));
  setup.options.repeat = 1;
  const double once = total(setup);
  setup.options.repeat = 5;
  // Four more times gosa and time of each sweep, and in the record that of each repeat; no more copies of p.
  EXPECT_EQ(total(setup) - once, 4.0 * 1000 * 2 * sizeof(double) + 5.0 * 1000 * bytes_of_number);
}

TEST(Demands, CountTwoArraysOfPAndTwelveOfCoefficientsEachWhereItLies) {
  auto setup = setup_of({1, 1, 1}, 0);
  setup.placement_of_p.space = MemorySpace::HostPinned;
  const auto of = demands(setup);
  const double array = field_bytes(setup.part.grid) / 14;
  EXPECT_EQ(of[0].space, MemorySpace::HostPinned);
  EXPECT_EQ(of[0].bytes, 2 * array);
  EXPECT_EQ(of[1].space, MemorySpace::SystemAllocated);
  EXPECT_EQ(of[1].bytes, 12 * array);
}

TEST(Demands, CountTheMessagesToEveryNeighbour) {
  const auto middle = setup_of({3, 1, 1}, 1);
  const auto end = setup_of({3, 1, 1}, 0);
  const auto messages = [](const auto& setup) { return total(setup) - field_bytes(setup.part.grid); };
  const double alone = messages(setup_of({1, 1, 1}, 0));
  // A slab one point wide, sent and received.
  constexpr double slab = 2.0 * 66 * 130 * sizeof(float);
  EXPECT_NEAR(messages(end) - alone, slab, 1e-3 * slab);
  EXPECT_NEAR(messages(middle) - alone, 2 * slab, 1e-3 * slab);
}

TEST(Demands, CountWhatIsKeptOfEverySweep) {
  auto setup = setup_of({1, 1, 1}, 0);
  const double before = total(setup);
  setup.options.iterations += 1000;
  // Where the sweeps are made gosa; on the host gosa and the time, and the time in the record.
  EXPECT_EQ(total(setup) - before, 1000 * (3.0 * sizeof(double) + bytes_of_number));
  setup.options.gosa_history = true;
  EXPECT_EQ(total(setup) - before, 1000 * (3.0 * sizeof(double) + bytes_of_number) + 2000 * bytes_of_number);
  setup.options.seconds = 1.0;
  EXPECT_LT(total(setup), before);
}

}  // namespace
}  // namespace memstencil::himeno
