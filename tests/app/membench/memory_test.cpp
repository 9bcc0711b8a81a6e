// Pins what the probes' reads and writes alone touch, and the CPUs that they run on.
#include "app/membench/core/memory.hpp"
#include "app/membench/core/program.hpp"
#include "kernels/elapsed.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <bit>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace memstencil::membench {
namespace {

constexpr std::size_t odd_bytes = 8 * (3 * probes::block_count + 77);

Array written() {
  Array array(MemorySpace::SystemAllocated, odd_bytes);
  array.write(Executor::Host);
  return array;
}

TEST(AReadAlone, AddsUpEachWordOnceWhateverTheParts) {
  const Array array = written();
  std::uint64_t one_by_one = 0;
  for (std::size_t n = 0; n < array.count(); ++n)
    one_by_one += std::bit_cast<std::uint64_t>(array.data()[n]);
  EXPECT_EQ(probes::host_pattern().sum(array.count(), array.seed()), one_by_one);
  EXPECT_EQ(probes::device_pattern().sum(array.count(), array.seed()), one_by_one);
  for (const std::size_t middle : {std::size_t{0}, std::size_t{1}, std::size_t{777}})
    EXPECT_EQ(probes::add_words(array.data(), 0, middle) +
                  probes::add_words(array.data(), middle, array.count()),
              one_by_one);
}

TEST(AWriteAlone, RepeatsTheBlockAndIsToldFromWhatLacksAnElement) {
  Array array = written(), block(MemorySpace::SystemAllocated, 8 * probes::block_count);
  block.write(Executor::Host);
  const auto verify = [&] { array.verify_copied(block, "it", Executor::Host); };
  probes::repeat_block(array.data(), block.data(), 0, 700);
  EXPECT_TRUE(contains(refusal(ExitCode::Verification, verify),
                       std::to_string(array.count() - 700) + " of "));
  probes::repeat_block(array.data(), block.data(), 700, array.count());
  for (std::size_t n = 0; n < array.count(); ++n)
    ASSERT_EQ(array.data()[n], block.data()[n % probes::block_count]) << n;
  verify();
  std::swap(array.data()[600], array.data()[601]);
  EXPECT_TRUE(contains(refusal(ExitCode::Verification, verify), "2 of "));
}

TEST(PartsOnCpus, AreEachDoneOnceOnTheirCpus) {
  std::vector<int> cpus = cpus_of_node(memory_nodes().front());
  ASSERT_FALSE(cpus.empty());
  std::mutex mutex;
  std::vector<int> touched(1001, 0);
  std::set<int> met;
  seconds_on(cpus, touched.size(), [&](std::size_t begin, std::size_t end) {
    const std::scoped_lock lock(mutex);
    met.insert(sched_getcpu());
    for (std::size_t n = begin; n < end; ++n) ++touched[n];
  });
  EXPECT_EQ(touched, std::vector<int>(1001, 1));
  EXPECT_EQ(met, std::set<int>(cpus.begin(), cpus.end()));
}

TEST(PartsOnCpus, TakeNoLessThanTheyLastHoweverLateTheClockIsLookedAt) {
  using namespace std::chrono_literals;
  const auto look = std::exchange(HostClock::look, [] {
    std::this_thread::sleep_for(50ms);  // as on a busy host
    return std::chrono::steady_clock::now();
  });
  const double seconds = seconds_on(cpus_of_node(memory_nodes().front()), 100,
                                    [](auto, auto) { std::this_thread::sleep_for(20ms); });
  HostClock::look = look;
  EXPECT_GE(seconds, 0.02);
}

TEST(PartsOnCpus, AreRefusedWhereACpuIsNone) {
  const auto none = [] { seconds_on({16'383}, 8, [](auto, auto) {}); };
  EXPECT_TRUE(contains(refusal(ExitCode::Machine, none), "CPU 16383"));
}

/// The first value of each axis of numbers with many of them, and of names all.
std::vector<Axis> few_points(const Probe& probe) {
  std::vector<Axis> axes = probe.axes(false);
  for (Axis& axis : axes) {
    if (axis.name == "bytes") axis.values = {1. * (4 << 20)};
    if (axis.name == "footprint") axis.values = {65536., 8. * (1 << 20)};
    if (axis.name == "side") axis.values = {256.};
    if (axis.values.size() > 8 && std::holds_alternative<double>(axis.values[0]))
      axis.values.resize(2);
  }
  return axes;
}

class EveryProbe : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryProbe, VerifiesWhatItMeasures) {
  const Probe& probe = probes()[GetParam()];
  if (const std::string why = why_not(probe, nullptr); !why.empty()) GTEST_SKIP() << why;
  const Table table = measure(probe, few_points(probe), {.repeats = 2, .experiments = 2});
  for (const Row& row : table.rows)
    for (const auto& [column, series] : row.samples) {
      EXPECT_GT(median(series.values), column == "multiprocessors_left_out" ? -1 : 0) << column;
      EXPECT_EQ(series.experiments.size(), 2U) << probe.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Probes, EveryProbe, testing::Range(std::size_t{0}, probes().size()),
                         [](const auto& each) { return probes()[each.param].name; });

}  // namespace
}  // namespace memstencil::membench
