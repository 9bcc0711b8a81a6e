// Pins the probes that a host has, in real memory and in small: every copy arrives, one that loses
// an element is found, all kinds are there.
#include "app/membench/link/link.hpp"
#include "app/membench/placement/placed_arrays.hpp"
#include "kernels/probes/array_copy.hpp"
#include "kernels/probes/pattern.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/text_checks.hpp"
#include "tests/app/membench/probe_named.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace memstencil::membench {
namespace {

using namespace link_probe;

constexpr std::size_t bytes = 8192;
constexpr std::size_t doubles = bytes / sizeof(double);
constexpr Sampling once{.warmups = 0, .repeats = 1, .limit = 1, .half_width = 1};

/// A copy in host memory by the given work.
Copy host_copy_by(const ArrayPair& host, std::function<void(double*, const double*)> work) {
  Copy copy = host_copies(host, "pageable", bytes, Kinds::All).front();
  copy.seconds = [work, to = host.second().data, from = host.first().data] {
    work(to, from);
    return 1.0;
  };
  return copy;
}

TEST(LinkCopies, BothLoopsCopyEveryElementFromAnyStart) {
  for (const auto copy : {probes::host_copy_plain, probes::host_copy_vectorised})
    for (const std::size_t length : {0UL, 1UL, 7UL, 8UL, 64UL, 1001UL})
      for (const std::size_t start : {0UL, 1UL, 5UL}) {
        std::vector<double> from(length), to(length + start + 3, -1.0);
        for (std::size_t n = 0; n < length; ++n) from[n] = static_cast<double>(n) + 0.5;
        copy(to.data() + start, from.data(), length);
        for (std::size_t n = 0; n < to.size(); ++n) {
          const bool copied = n >= start && n < start + length;
          ASSERT_EQ(to[n], copied ? from[n - start] : -1.0)
              << length << " from " << start << " at " << n;
        }
      }
}

TEST(LinkCopies, AreCountedInDecimalGigabytesReadAndWritten) {
  const ArrayPair host(MemorySpace::SystemAllocated, bytes);
  const Copy copy =
      host_copy_by(host, [](double* to, const double* from) { std::copy_n(from, doubles, to); });
  EXPECT_DOUBLE_EQ(measure(copy, once).values.front(), 2 * 8192e-9);
}

TEST(LinkCopies, ThatLoseAnElementFailVerification) {
  const ArrayPair host(MemorySpace::SystemAllocated, bytes);
  const Copy copy = host_copy_by(
      host, [](double* to, const double* from) { std::copy_n(from, doubles - 1, to); });
  EXPECT_TRUE(contains(refusal(ExitCode::Verification, [&] { measure(copy, once); }),
                       "1 of 1024 elements"));
}

TEST(LinkCopies, OfTheLastMeasurementDoNotPassForThisOne) {
  const ArrayPair host(MemorySpace::SystemAllocated, bytes);
  measure(
      host_copy_by(host, [](double* to, const double* from) { std::copy_n(from, doubles, to); }),
      once);
  EXPECT_THROW(measure(host_copy_by(host, [](double*, const double*) {}), once), Failure);
}

using Kind = std::tuple<std::string, std::string, std::string>;

TEST(LinkProbe, MeasuresEveryKindOfCopyThatThisMachineHas) {
  Settings settings;
  settings.bytes = 1 << 20;
  settings.repeats = 2;
  std::set<Kind> kinds;
  for (const Measurement& m : probe_named("link").run(settings).measurements) {
    kinds.emplace(m.parameters["direction"], m.parameters["memory"], m.parameters["by"]);
    EXPECT_EQ(m.samples.values.size(), 2U);
    for (const double gbs : m.samples.values) EXPECT_GT(gbs, 0) << m.name;
  }
  std::set<Kind> wanted{{"host copy", "pageable", "loop"}, {"host copy", "pageable", "vectorised"}};
  if (gpu_count() > 0) {
    wanted.insert({{"host copy", "pinned", "loop"}, {"host copy", "pinned", "vectorised"}});
    for (const char* by : {"copy engine", "kernel"})
      wanted.insert({{"HtoD", "pinned", by},
                     {"DtoH", "pinned", by},
                     {"both", "pinned", by},
                     {"device copy", "device", by}});
    wanted.insert({{"HtoD", "pageable", "copy engine"}, {"DtoH", "pageable", "copy engine"}});
    if (support(MemorySpace::SystemAllocated, Executor::Device).served)
      wanted.insert({{"HtoD", "pageable", "kernel"}, {"DtoH", "pageable", "kernel"}});
  }
  EXPECT_EQ(kinds, wanted);
}

TEST(LinkProbe, WithThePapersCountsMeasuresTheThesisKindsAlone) {
  Settings settings;
  settings.paper = true;
  settings.bytes = 4096;
  settings.repeats = 2;
  settings.experiments = 3;
  std::set<Kind> kinds;
  for (const Measurement& m : probe_named("link").run(settings).measurements) {
    kinds.emplace(m.parameters["direction"], m.parameters["memory"], m.parameters["by"]);
    EXPECT_EQ(m.experiments, 3);
    EXPECT_EQ(m.samples.values.size(), 6U);
  }
  const std::set<Kind> with_gpu{{"host copy", "pinned", "loop"},
                                {"HtoD", "pinned", "copy engine"},
                                {"DtoH", "pinned", "copy engine"},
                                {"device copy", "device", "kernel"}};
  const std::set<Kind> without_gpu{{"host copy", "pageable", "loop"}};
  EXPECT_EQ(kinds, gpu_count() > 0 ? with_gpu : without_gpu);
}

TEST(PagesProbe, GivesTheCostOfEachActInEachServedMemory) {
  Settings settings;
  settings.bytes = 1 << 20;
  settings.repeats = 2;
  std::set<std::string> spaces, acts_of_gpu;
  for (const Measurement& m : probe_named("pages").run(settings).measurements) {
    spaces.insert(m.parameters["memspace"]);
    const auto act = m.parameters["act"].get<std::string>();
    if (m.parameters["memspace"] == "managed" && act.ends_with(" device")) acts_of_gpu.insert(act);
    EXPECT_EQ(m.samples.values.size(), 2U) << m.name;
    EXPECT_EQ(m.samples.warmup.size(), 1U) << m.name;
    for (const double cost : m.samples.values) EXPECT_GT(cost, 0) << m.name;
  }
  EXPECT_EQ(spaces.size(), gpu_count() > 0 ? all_memory_spaces.size() : 1U);
  const std::set<std::string> with_gpu{"first touch by device", "first fill by device",
                                       "prefetch to device", "free after fill by device"};
  EXPECT_EQ(acts_of_gpu, gpu_count() > 0 ? with_gpu : std::set<std::string>());
}

/// A space that both executors reach: managed with a GPU, host memory without one.
constexpr MemorySpace shared_space = MemorySpace::Managed;

TEST(DeviceCopy, CopiesEveryElementOfAnyNumber) {
  for (const std::size_t count : {1, 255, 100'003}) {
    const Buffer from(shared_space, (count + 1) * sizeof(double)),
        to(shared_space, (count + 1) * sizeof(double));
    auto* const source = static_cast<double*>(from.data());
    auto* const destination = static_cast<double*>(to.data());
    probes::host_pattern().write(source, count + 1, 1, 5);
    probes::device_pattern().write(destination, count + 1, 1, 6);
    probes::device_copy(destination, source, count);
    EXPECT_EQ(probes::host_pattern().wrong(destination, count, 1, 5), 0U);
    // Not one element more.
    EXPECT_NE(destination[count], source[count]);
  }
}

TEST(Patterns, FilledInRegionsAreThoseWrittenElementByElement) {
  const std::size_t region = (std::size_t{2} << 20) / sizeof(double);
  for (const std::size_t count : {std::size_t{1}, region - 1, region, 2 * region + 7})
    for (const auto* pattern : {&probes::host_pattern(), &probes::device_pattern()}) {
      const Buffer buffer(shared_space, (count + 1) * sizeof(double));
      auto* const data = static_cast<double*>(buffer.data());
      fill(data, 0xFF, buffer.bytes());
      pattern->fill(data, count, 5);
      EXPECT_EQ(pattern->wrong(data, count, 1, 5), 0U) << count;
      EXPECT_TRUE(std::isnan(data[count])) << count;  // not one element more
    }
}

TEST(PlacedArrays, AreTouchedCopiedAndVerifiedByBothExecutors) {
  for (const MemorySpace space : {MemorySpace::Managed, MemorySpace::SystemAllocated}) {
    if (!support(space, Executor::Host).served) continue;
    if (gpu_count() > 0 && !support(space, Executor::Device).served) continue;
    for (const Executor executor : all_executors) {
      const auto arrays = make_placed_arrays({space, 1 << 20, Advice::None});
      arrays->touch(Executor::Host, Executor::Device);
      EXPECT_GT(arrays->copy(executor), 0.0);
      EXPECT_NO_THROW(arrays->verify(executor));
    }
  }
}

TEST(PlacedArrays, FindASourceThatNobodyFilled) {
  const auto arrays = make_placed_arrays({shared_space, 1 << 20, Advice::None});
  EXPECT_THROW(arrays->verify(Executor::Host), Failure);
}

TEST(PlacedArrays, AreUntouchedWhenMadeAndWithTheHostOnceItHasTouchedThem) {
  const auto arrays = make_placed_arrays({MemorySpace::SystemAllocated, 1 << 20, Advice::None});
  const Residency before = arrays->source_residency();
  if (!before.known) GTEST_SKIP() << before.reason;
  EXPECT_EQ(before.absent, before.sampled);
  arrays->touch(Executor::Host, Executor::Host);
  EXPECT_EQ(arrays->source_residency().absent, 0U);
  EXPECT_EQ(arrays->destination_residency().absent, 0U);
}

TEST(PlacedArrays, GoWhereTheyArePrefetchedTo) {
  if (const std::string reason = refuse_prefetch(shared_space); !reason.empty())
    GTEST_SKIP() << reason;
  const auto arrays = make_placed_arrays({shared_space, std::size_t{64} << 20, Advice::None});
  arrays->touch(Executor::Host, Executor::Device);
  EXPECT_GT(arrays->prefetch(Executor::Device), 0.0);
  EXPECT_NO_THROW(arrays->verify(Executor::Device));
  EXPECT_GT(arrays->prefetch(Executor::Host), 0.0);
  EXPECT_NO_THROW(arrays->verify(Executor::Host));
}

TEST(PlacedArrays, AreRefusedBeyondTheMemory) {
  try {
    make_placed_arrays({shared_space, std::size_t{1} << 50, Advice::None});
    FAIL() << "two arrays of 1 PiB were allocated";
  } catch (const OutOfMemory& refused) {
    EXPECT_NE(std::string(refused.what()).find("use a smaller --size or --sizes"),
              std::string::npos);
  }
}

Settings small() {
  Settings s;
  s.bytes = std::size_t{1} << 20;
  s.repeats = 4;
  return s;
}

/// The whole probe in small: that its record can be written, too.
void check(const ProbeResult& result, std::size_t repeats) {
  for (const Measurement& m : result.measurements) {
    SCOPED_TRACE(m.name);
    EXPECT_EQ(m.samples.values.size(), m.samples.stopped == "one an experiment" ? 1U : repeats);
    for (const double value : m.samples.values) EXPECT_GT(value, 0.0);
  }
  EXPECT_NO_THROW(require_finite({{"tables", result.tables}, {"derived", result.derived}}));
}

TEST(Probes, MeasureAllPatternsInRealMemory) {
  const ProbeResult result = probe_named("patterns").run(small());
  EXPECT_EQ(result.measurements.size(), 8U);
  check(result, 4);
}

TEST(Probes, MeasureAllPhasesOfAMigrationInRealMemory) {
  const ProbeResult result = probe_named("migration").run(small());
  EXPECT_GE(result.measurements.size(), 3U);
  check(result, 4);
}

}  // namespace
}  // namespace memstencil::membench
