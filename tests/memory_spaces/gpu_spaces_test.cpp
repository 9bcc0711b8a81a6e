// Pins what a GPU adds: memory that the host cannot read, refusals that
// name the attribute, movement.
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/field.hpp"
#include "memory_spaces/movement.hpp"
#include "memory_spaces/residency.hpp"
#include "tests/app/base/text_checks.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace memstencil {
namespace {

TEST(GpuSpaces, DeviceMemoryIsRefusedToHostCode) {
  const Field<float, 1> field(MemorySpace::Device, {100});
  EXPECT_FALSE(field.buffer().host_accessible());
  EXPECT_THROW(field.host_view(), UnsupportedSpace);
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
}

TEST(GpuSpaces, EffectiveIsWhatWasRequested) {
  for (const MemorySpace space : all_memory_spaces)
    EXPECT_EQ(support(space, Executor::Device).effective, name(space));
}

TEST(GpuSpaces, CopiesGoBetweenAnyTwo) {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 1);
  const std::size_t bytes = values.size() * sizeof(int);
  for (const MemorySpace from :
       {MemorySpace::HostPinned, MemorySpace::Device, MemorySpace::Managed})
    for (const MemorySpace to :
         {MemorySpace::HostPinned, MemorySpace::Device, MemorySpace::Managed}) {
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
  const Field<int, 1> field(MemorySpace::Managed, {100000});
  const auto view = field.host_view();
  for (int n = 0; n < 100000; ++n) view(n) = n;
  for (const Advice advice : all_advice) advise(field.buffer(), advice, Executor::Device);
  prefetch(field.buffer(), Executor::Device);
  prefetch(field.buffer(), Executor::Host);
  for (int n = 0; n < 100000; ++n) ASSERT_EQ(view(n), n);
}

TEST(GpuSpaces, OthersAreNotPrefetchedOrAdvised) {
  for (const MemorySpace space : {MemorySpace::HostPinned, MemorySpace::Device}) {
    const Buffer buffer(space, 4096);
    EXPECT_THROW(prefetch(buffer, Executor::Device), UnsupportedSpace);
    EXPECT_THROW(advise(buffer, Advice::Preferred, Executor::Device), UnsupportedSpace);
    EXPECT_TRUE(contains(why_not_prefetch(space), "--memspace managed"));
  }
}

TEST(GpuSpaces, AvailableMemoryShrinks) {
  const std::size_t before = available_bytes(MemorySpace::Device);
  const std::size_t bytes = std::size_t{512} << 20;
  const Buffer taken(MemorySpace::Device, bytes);
  EXPECT_LE(available_bytes(MemorySpace::Device), before - bytes);
}

}  // namespace
}  // namespace memstencil
