// Pins the trial of kinds of sweep where a kind cannot run.
#include "app/himeno/result.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::himeno {
namespace {

/// As long as it lives this process can map so many bytes more.
class RoomFor {
public:
  explicit RoomFor(std::size_t bytes) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    const struct rlimit lower {
      pages* static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + bytes, before_.rlim_max
    };
    setrlimit(RLIMIT_AS, &lower);
  }
  ~RoomFor() { setrlimit(RLIMIT_AS, &before_); }
  RoomFor(const RoomFor&) = delete;
  RoomFor& operator=(const RoomFor&) = delete;

private:
  struct rlimit before_ {};
};

/// Why RoomFor has no effect here; empty if it has.
std::string why_unlimited() {
  if (built_for_gpu()) return "a GPU's driver maps memory, too";
  constexpr std::size_t more = std::size_t{1} << 30;
  const RoomFor room(more / 2);
  void* const mapped = mmap(nullptr, more, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return "";
  munmap(mapped, more);
  return "a process' addresses are not limited here, as under qemu";
}

constexpr std::size_t half_of_the_arrays_of_s = 7 * 64 * 64 * 128 * sizeof(float);

/// Of single sweeps and temporal:2: others need more iterations.
Plan plan_of_two_kinds() {
  Options options = host_options({64, 64, 128}, 2);
  options.sweep = {.name = "auto"};
  return plan_of(options);
}

TEST(HimenoTrial, TakesTheKindWithTheLeastMedian) {
  std::vector<TrialRow> rows(4);
  rows[0].refused = "it has no time";
  rows[1].sweep_seconds = spread_of(std::vector{2., 2., 2.});
  rows[2].sweep_seconds = spread_of(std::vector{1., 1., 9.});
  rows[3].sweep_seconds = spread_of(std::vector{0.5, 3., 3.});
  EXPECT_EQ(&fastest(rows), &rows[2]);
}

std::optional<RoomFor> room;
int kinds_without, clock_looks;

/// Limits memory at the first looks at the clock, which are those before arrays are allocated.
std::vector<TrialRow> tried_without_memory(int kinds) {
  const Plan plan = plan_of_two_kinds();
  kinds_without = kinds, clock_looks = 0;
  HostClock::look = [] {
    room.reset();
    if (clock_looks++ < kinds_without) room.emplace(half_of_the_arrays_of_s);
    return std::chrono::steady_clock::now();
  };
  struct Back {
    ~Back() { HostClock::look = std::chrono::steady_clock::now, room.reset(); }
  } back;
  return try_sweeps(plan, {}, Communicator());
}

TEST(HimenoTrial, LeavesOutAKindWhoseMemoryCannotBeHad) {
  if (const std::string why = why_unlimited(); !why.empty()) GTEST_SKIP() << why;
  const auto rows = tried_without_memory(1);
  ASSERT_GE(rows.size(), 2U);
  EXPECT_TRUE(contains(rows[0].refused.value(), "bytes of host memory"));
  EXPECT_FALSE(rows[0].sweep_seconds);
  EXPECT_TRUE(rows[1].sweep_seconds) << rows[1].refused.value();
  EXPECT_EQ(&fastest(rows), &rows[1]);
  EXPECT_GT(rows[1].fraction, 0.0);
}

TEST(HimenoTrial, FailsAsAMachineDoesWhereTheMemoryOfNoKindCanBeHad) {
  if (const std::string why = why_unlimited(); !why.empty()) GTEST_SKIP() << why;
  EXPECT_TRUE(contains(refusal(ExitCode::Machine, [] { tried_without_memory(1000); }),
                       "no kind of sweep can run"));
}

}  // namespace
}  // namespace memstencil::himeno
