// Pins the bytes that a run says to have brought through the host's buffer for a GPU's memory, and
// the limit of arrays as they are filled.
#include "app/grid/fields.hpp"
#include "kernels/random.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/memory_spaces/each_space.hpp"

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

namespace memstencil {
namespace {

Placement in_device_memory(Executor first_touch) {
  Placement out{};
  out.space = MemorySpace::Device;
  out.first_touch = first_touch;
  out.executor = gpu_count() > 0 ? Executor::Device : Executor::Host;
  return out;
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

/// An array's random numbers. (No lambda: nvcc takes none in a lambda of any type.)
struct Hashed {
  float* to;
  std::uint64_t array, first;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::uint64_t index = first + static_cast<std::uint64_t>(n);
    to[n] = static_cast<float>(splitmix64(array ^ index << 8) >> 40) * 0x1p-24F;
  }
};

/// The arrays of a sweep that reads three and writes one, with random numbers; both p are alike.
Fields<float> filled(const Placement& placement, std::int64_t planes) {
  Fields<float> fields({{planes, 256, 256}, 256, {}, {}}, placement, {1, 1, 1, 1});
  Phases phases({"initialise", "upload"});
  fields.initialise(
      [&](const auto& exec, std::size_t number, const Grid& slab, std::int64_t first, float* to) {
        Kokkos::parallel_for(
            Kokkos::RangePolicy(exec, 0, static_cast<std::int64_t>(slab.elements())),
            Hashed{to, std::min<std::uint64_t>(number, 2), slab.row(first, 0)});
        exec.fence();
      },
      phases);
  return fields;
}

std::vector<float> on_host(const float* values, std::size_t count) {
  std::vector<float> out(count);
  copy(out.data(), values, count * sizeof(float));
  return out;
}

TEST(LimitOfArraysAsFilled, ReadsAsManyAsASweepAndLeavesAllAsTheyWere) {
  const Placement placement = in_device_memory(kernel_executor());
  with_execution_space(placement.executor, [&](const auto& exec) {
    const Fields<float> fields = filled(placement, 4);
    const std::size_t count = fields.grid().elements();
    std::vector<std::vector<float>> before;
    for (std::size_t n = 0; n < 4; ++n) before.push_back(on_host(fields.array(n), count));
    const Limit limit = measure_as_filled<3>(exec, fields, Communicator());
    EXPECT_EQ(limit.kind, "3 reads : 1 write, as filled");
    EXPECT_GT(limit.gbs, 0);
    for (std::size_t n = 0; n < 4; ++n) EXPECT_EQ(on_host(fields.array(n), count), before[n]) << n;
  });
}

TEST(LimitOfArraysAsFilled, OfRandomNumbersIsThatOfMemoryThatIsNotCompressed) {
  Placement placement = in_device_memory(kernel_executor());
  placement.allocation = Allocation::Compressible;
  if (const Support s = support(placement.kind(), placement.executor); !s.served)
    GTEST_SKIP() << s.reason;
  with_execution_space(placement.executor, [&](const auto& exec) {
    const auto gbs = [&](Allocation allocation) {
      placement.allocation = allocation;
      return measure_as_filled<3>(exec, filled(placement, 2048), Communicator()).gbs;
    };
    EXPECT_NEAR(gbs(Allocation::Compressible) / gbs(Allocation::Default), 1, 0.03);
  });
}

}  // namespace
}  // namespace memstencil
