// Pins the bytes that a run says to have brought through the host's buffer for a GPU's memory.
#include "app/grid/fields.hpp"
#include "memory_spaces/capabilities.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

Placement in_device_memory(Executor first_touch) {
  return {.space = MemorySpace::Device,
          .pages = Pages::Default,
          .advice = Advice::None,
          .prefetch = false,
          .first_touch = first_touch,
          .executor = gpu_count() > 0 ? Executor::Device : Executor::Host};
}

/// Of nine arrays of 5 x 6 rows of 8 floats, seven of them in two allocations.
std::optional<StagingRecord> staging(Executor first_touch) {
  const Grid grid{{5, 6, 7}, 8, {}, {}};
  return Fields<float>(grid, in_device_memory(first_touch), {4, 3, 1, 1}).staging();
}

TEST(BytesThroughTheHostsBuffer, AreThoseOfAllArraysThereAndOfOneBack) {
  constexpr double array = 4. * 5 * 6 * 8;
  if (gpu_count() == 0) {
    EXPECT_FALSE(staging(Executor::Host)) << "the host reaches all memory";
    return;
  }
  ASSERT_TRUE(staging(Executor::Host));
  EXPECT_EQ(staging(Executor::Host)->copied_bytes, (9 + 1) * array);
  EXPECT_EQ(staging(Executor::Device)->copied_bytes, array);
  EXPECT_GE(staging(Executor::Host)->bytes, array);
}

}  // namespace
}  // namespace memstencil
