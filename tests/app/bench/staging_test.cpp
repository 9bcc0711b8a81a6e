// Pins how the host gets a result: in every memory, and by reading it where it lies; and the limit
// of a link.
#include "app/bench/staging.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/bench/limit.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"
#include "tests/app/base/given_clock.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <cstring>

namespace memstencil {
namespace {

/// The GPU where this build is for one.
constexpr Executor executor = executor_of<Kokkos::DefaultExecutionSpace>;

Placement in(MemorySpace space) {
  Placement out{};
  out.space = space;
  out.first_touch = out.executor = executor;
  return out;
}

/// Of the whole process.
long page_faults() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

template <class T>
void expect_downloaded(const Placement& placement) {
  constexpr std::size_t count = 100'000;
  constexpr unsigned char byte = 0x3F;
  T value{};
  std::memset(&value, byte, sizeof value);
  const Buffer buffer(placement.space, count * sizeof(T));
  fill(buffer.data(), byte, buffer.bytes());
  Staging staging(placement, buffer.bytes());
  Phases phases({"download"});
  const T* const host = staging.download(static_cast<const T*>(buffer.data()), count, phases);
  EXPECT_EQ(std::count(host, host + count, value), static_cast<std::ptrdiff_t>(count));
  EXPECT_GT(phases.seconds("download"), 0.0);
}

TEST(Staging, DownloadsFromEveryMemory) {
  for (const MemorySpace space : all_memory_spaces) {
    SCOPED_TRACE(name(space));
    if (!support(space, executor).served) continue;
    expect_downloaded<float>(in(space));
    expect_downloaded<double>(in(space));
  }
}

TEST(Staging, ReadsEveryPageOfHostMemory) {
  if (built_for_gpu()) GTEST_SKIP() << "a GPU's driver may have made the pages";
  constexpr std::size_t huge_page = std::size_t{2} << 20, pages = 32;
  const Buffer untouched(MemorySpace::SystemAllocated, pages * huge_page);
  Staging staging(in(MemorySpace::SystemAllocated), untouched.bytes());
  Phases phases({"download"});
  const long before = page_faults();
  staging.download(static_cast<const float*>(untouched.data()), untouched.bytes() / sizeof(float),
                   phases);
  EXPECT_GE(page_faults() - before, static_cast<long>(pages));
}

TEST(LinkLimit, IsOfTheBytesThatPassItOnce) {
  const GivenClock clock(0);
  const std::vector<char> source(4096, 7);
  const Limit link = measure_link(
      source.data(), source.size(), [] { GivenClock::pass(20e-3); }, Communicator());
  EXPECT_EQ(link.kind, "link");
  EXPECT_DOUBLE_EQ(link.gbs, 1e-9 * 4096 / 20e-3);
}

}  // namespace
}  // namespace memstencil
