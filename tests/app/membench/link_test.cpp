// Pins the copies of the link probe: every element arrives, a copy that loses one is found, all kinds are
// there.
#include "app/common/failure.hpp"
#include "app/membench/core/probes.hpp"
#include "app/membench/link/link_copies.hpp"
#include "kernels/probes/host_copy.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace memstencil::membench {
namespace {

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
          ASSERT_EQ(to[n], copied ? from[n - start] : -1.0) << length << " from " << start << " at " << n;
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
  const Copy copy =
      host_copy_by(host, [](double* to, const double* from) { std::copy_n(from, doubles - 1, to); });
  EXPECT_TRUE(contains(refusal(ExitCode::Verification, [&] { measure(copy, once); }), "1 of 1024 elements"));
}

TEST(LinkCopies, OfTheLastMeasurementDoNotPassForThisOne) {
  const ArrayPair host(MemorySpace::SystemAllocated, bytes);
  measure(host_copy_by(host, [](double* to, const double* from) { std::copy_n(from, doubles, to); }), once);
  EXPECT_THROW(measure(host_copy_by(host, [](double*, const double*) {}), once), Failure);
}

using Kind = std::tuple<std::string, std::string, std::string>;

TEST(LinkProbe, MeasuresEveryKindOfCopyThatThisMachineHas) {
  Settings settings;
  settings.bytes = 1 << 20;
  settings.repeats = 2;
  std::set<Kind> kinds;
  for (const Measurement& m : run_link(settings).measurements) {
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
  for (const Measurement& m : run_link(settings).measurements) {
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
  for (const Measurement& m : run_pages(settings).measurements) {
    spaces.insert(m.parameters["memspace"]);
    const auto act = m.parameters["act"].get<std::string>();
    if (m.parameters["memspace"] == "managed" && act.ends_with(" device")) acts_of_gpu.insert(act);
    EXPECT_EQ(m.samples.values.size(), 2U) << m.name;
    EXPECT_EQ(m.samples.warmup.size(), 1U) << m.name;
    for (const double cost : m.samples.values) EXPECT_GT(cost, 0) << m.name;
  }
  EXPECT_EQ(spaces.size(), gpu_count() > 0 ? all_memory_spaces.size() : 1U);
  const std::set<std::string> with_gpu{"first touch by device", "first fill by device", "prefetch to device",
                                       "free after fill by device"};
  EXPECT_EQ(acts_of_gpu, gpu_count() > 0 ? with_gpu : std::set<std::string>());
}

}  // namespace
}  // namespace memstencil::membench
