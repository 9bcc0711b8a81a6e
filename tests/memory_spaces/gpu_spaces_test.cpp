// Pins what a GPU adds: memory that the host cannot read, refusals that
// name the attribute, movement.
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/field.hpp"
#include "memory_spaces/movement.hpp"
#include "memory_spaces/residency.hpp"
#include "tests/app/base/text_checks.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace memstencil {
namespace {

TEST(GpuSpaces, DeviceMemoryIsRefusedToHostCode) {
  const Field<float, 1> field(MemorySpace::Device, {100});
  EXPECT_FALSE(field.buffer().host_accessible());
  const Support s = support(MemorySpace::Device, Executor::Host);
  EXPECT_FALSE(s.served);
  EXPECT_TRUE(contains(s.reason, gpu_facts().name));
  EXPECT_TRUE(contains(s.reason, "--memspace managed"));
  EXPECT_FALSE(residency(field.buffer()).known);
}

TEST(GpuSpaces, SystemMemoryGoesByItsAttribute) {
  const Support s = support(MemorySpace::SystemAllocated, Executor::Device);
  EXPECT_EQ(s.served, gpu_facts().pageable_memory_access != 0);
  if (s.served) return;
  EXPECT_TRUE(contains(s.reason, "cudaDevAttrPageableMemoryAccess"));
  EXPECT_TRUE(contains(s.reason, gpu_facts().name));
  EXPECT_TRUE(contains(s.reason, "--memspace managed"));
}

TEST(GpuSpaces, PinnedAndDeviceAreServedToTheDevice) {
  EXPECT_TRUE(support(MemorySpace::HostPinned, Executor::Device).served);
  EXPECT_TRUE(support(MemorySpace::Device, Executor::Device).served);
  EXPECT_TRUE(reached_over_link(MemorySpace::HostPinned, Executor::Device));
  EXPECT_FALSE(reached_over_link(MemorySpace::Device, Executor::Device));
  for (const MemorySpace space : all_memory_spaces)
    EXPECT_EQ(support(space, Executor::Device).effective, name(space));
}

TEST(GpuSpaces, CopiesGoBetweenAnyTwo) {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 1);
  const std::size_t bytes = values.size() * sizeof(int);
  constexpr std::array spaces{MemorySpace::HostPinned, MemorySpace::Device, MemorySpace::Managed};
  for (const MemorySpace from : spaces)
    for (const MemorySpace to : spaces) {
      const Buffer a(from, bytes), b(to, bytes);
      copy(a.data(), values.data(), bytes);
      copy(b.data(), a.data(), bytes);
      std::vector<int> got(values.size());
      copy(got.data(), b.data(), bytes);
      EXPECT_EQ(got, values) << name(from) << " to " << name(to);
    }
}

TEST(GpuSpaces, ACopyWithinAGpuHasEndedWhenItReturns) {
  const std::size_t bytes = std::size_t{512} << 20;
  const Buffer a(MemorySpace::Device, bytes), b(MemorySpace::Device, bytes);
  fill(a.data(), 1, bytes);
  copy(b.data(), a.data(), bytes);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaSuccess);
}

TEST(GpuSpaces, ManagedMemoryKeepsItsContents) {
  if (const std::string reason = why_not_prefetch(MemorySpace::Managed); !reason.empty())
    GTEST_SKIP() << reason;
  for (const Allocation allocation : {Allocation::Default, Allocation::Pool}) {
    const MemoryKind kind(MemorySpace::Managed, allocation);
    if (!support(kind, Executor::Device).served) continue;
    const Field<int, 1> field(kind, {100000});
    std::iota(field.data(), field.data() + field.size(), 0);
    for (const Advice advice : all_advice)
      if (why_not_advice(kind, advice).empty()) advise(field.buffer(), advice, Executor::Device);
    prefetch(field.buffer(), Executor::Device);
    prefetch(field.buffer(), Executor::Host);
    for (int n = 0; n < 100000; ++n) ASSERT_EQ(field.data()[n], n);
  }
}

TEST(GpuSpaces, OthersAreNotPrefetchedOrAdvised) {
  for (const MemorySpace space : {MemorySpace::HostPinned, MemorySpace::Device}) {
    const Buffer buffer(space, 4096);
    EXPECT_THROW(prefetch(buffer, Executor::Device), UnsupportedSpace);
    EXPECT_THROW(advise(buffer, Advice::Preferred, Executor::Device), UnsupportedSpace);
    EXPECT_TRUE(contains(why_not_prefetch(space), "--memspace managed"));
  }
}

/// Free by the driver's word.
std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  return free;
}

/// Device memory that the GPU compresses, where this one does.
class CompressibleMemory : public testing::Test {
protected:
  void SetUp() override {
    if (const Support s = support(kind, Executor::Device); !s.served) GTEST_SKIP() << s.reason;
  }
  const MemoryKind kind{MemorySpace::Device, Allocation::Compressible};
};

TEST_F(CompressibleMemory, TakesTheBytesThatItIsAskedForAndGivesThemBack) {
  const std::size_t bytes = (std::size_t{1} << 30) + 1, before = free_bytes();
  {
    const Buffer buffer(kind, bytes);
    fill(buffer.data(), 0, bytes);
    EXPECT_LE(free_bytes(), before - bytes) << "it saves bandwidth, not bytes";
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, 0U);
  }
  EXPECT_GE(free_bytes(), before - (std::size_t{8} << 20));
}

class Pools : public testing::TestWithParam<MemorySpace> {
protected:
  void SetUp() override {
    if (const Support s = support(kind, Executor::Device); !s.served) GTEST_SKIP() << s.reason;
    available_bytes(GetParam());  // gives back what earlier tests left
  }
  const MemoryKind kind{GetParam(), Allocation::Pool};
  const std::size_t bytes = std::size_t{1} << 30;
};

TEST_P(Pools, KeepWhatIsReleasedAndCountItAsFreeForTheirOwnKind) {
  const std::size_t before = free_bytes(), available = available_bytes(kind);
  void* first = nullptr;
  {
    const Buffer buffer(kind, bytes);
    first = buffer.data();
    fill(buffer.data(), 1, bytes);
    EXPECT_LE(free_bytes(), before - bytes);
    EXPECT_LE(available_bytes(kind), available - bytes / 10 * 9);
  }
  EXPECT_LE(free_bytes(), before - bytes) << "given back";
  EXPECT_GE(available_bytes(kind), available - (std::size_t{64} << 20));
  EXPECT_EQ(Buffer(kind, bytes).data(), first) << "the next life has other memory";
}

TEST_P(Pools, AreTrimmedBeforeMemoryOfAnotherKindIsAskedAbout) {
  if (GetParam() != MemorySpace::Device)
    GTEST_SKIP() << "the driver may keep managed pages a while";
  const std::size_t before = free_bytes();
  fill(Buffer(kind, bytes).data(), 1, bytes);
  EXPECT_LE(free_bytes(), before - bytes);
  available_bytes(MemorySpace::Device);
  EXPECT_GE(free_bytes(), before - (std::size_t{64} << 20));
}

TEST_P(Pools, DoNotTakeWhatIsInUseAway) {
  const Buffer buffer(kind, bytes);
  fill(buffer.data(), 7, bytes);
  available_bytes(MemorySpace::Device);
  unsigned char last = 0;
  copy(&last, static_cast<char*>(buffer.data()) + bytes - 1, 1);
  EXPECT_EQ(last, 7);
}

INSTANTIATE_TEST_SUITE_P(Of, Pools, testing::Values(MemorySpace::Device, MemorySpace::Managed));

TEST(GpuSpaces, AvailableMemoryShrinks) {
  const std::size_t before = available_bytes(MemorySpace::Device);
  const std::size_t bytes = std::size_t{512} << 20;
  const Buffer taken(MemorySpace::Device, bytes);
  EXPECT_LE(available_bytes(MemorySpace::Device), before - bytes);
}

}  // namespace
}  // namespace memstencil
