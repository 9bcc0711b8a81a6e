// Pins what the probes of placement do and conclude, without the machine: numbering, order of
// operations, rates of migration, residency.
#include "app/membench/placement/migration.hpp"
#include "app/membench/placement/patterns.hpp"
#include "app/membench/placement/series.hpp"

#include "app/common/runtime/failure.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace memstencil::membench {
namespace {

using namespace migration_probe;
using namespace patterns_probe;

using Operations = std::vector<std::string>;

std::string text(Executor executor) { return std::string(name(executor)); }

/// A machine in which a page is with whoever touched it last: a copy takes 1 s, and 4 s more for
/// each of the two arrays that is not with its executor; a prefetch 2 s an array.
class MovingArrays : public PlacedArrays {
public:
  MovingArrays(Operations& operations, const ArraysWanted& wanted) : operations_(operations) {
    operations_.push_back("make " + std::string(name(wanted.space)) + " " +
                          std::to_string(wanted.bytes) + " " + std::string(name(wanted.advice)));
  }
  void touch(Executor source, Executor destination) override {
    operations_.push_back("touch " + text(source) + " " + text(destination));
    source_ = source;
    destination_ = destination;
  }
  double copy(Executor by) override {
    operations_.push_back("copy " + text(by));
    return 1.0 + 4.0 * moved_to(by);
  }
  double prefetch(Executor to) override {
    operations_.push_back("prefetch " + text(to));
    return 2.0 * moved_to(to);
  }
  void verify(Executor by) override { operations_.push_back("verify " + text(by)); }
  Residency source_residency() const override { return on(source_); }
  Residency destination_residency() const override { return on(destination_); }

protected:
  virtual Residency on(Executor side) const {
    Residency r{.known = true,
                .reason = {},
                .page_bytes = 4096,
                .sampled = 8,
                .absent = 0,
                .pages_on_node = {}};
    r.pages_on_node[side == Executor::Host ? 0 : 1] = 8;
    return r;
  }

private:
  int moved_to(Executor to) {
    const int moved = (source_ == to ? 0 : 1) + (destination_ == to ? 0 : 1);
    source_ = destination_ = to;
    return moved;
  }

  Operations& operations_;
  Executor source_ = Executor::Host, destination_ = Executor::Host;
};

/// A machine in which pages stay where they were touched first.
class StayingArrays final : public MovingArrays {
public:
  using MovingArrays::MovingArrays;
  void touch(Executor source, Executor destination) override {
    source_ = source;
    destination_ = destination;
  }
  double copy(Executor) override { return 1.0; }
  Residency source_residency() const override { return on(source_); }
  Residency destination_residency() const override { return on(destination_); }

private:
  Executor source_ = Executor::Host, destination_ = Executor::Host;
};

/// CDMM: whoever touches them first, pages are with the host.
class PagesOfTheHost final : public MovingArrays {
public:
  using MovingArrays::MovingArrays;

private:
  Residency on(Executor) const override { return MovingArrays::on(Executor::Host); }
};

/// A machine that tells nothing of its pages.
class SilentArrays final : public MovingArrays {
public:
  using MovingArrays::MovingArrays;

private:
  Residency on(Executor) const override {
    Residency r;
    r.reason = "move_pages: Operation not permitted";
    return r;
  }
};

template <class Arrays>
MakeArrays making(Operations& operations) {
  return [&operations](const ArraysWanted& wanted) {
    return std::make_unique<Arrays>(operations, wanted);
  };
}

Settings settings_of(std::size_t bytes, int repeats, int experiments) {
  Settings s;
  s.bytes = bytes;
  s.repeats = repeats;
  s.experiments = experiments;
  return s;
}

MigrationPlan plan_of(std::vector<MemorySpace> spaces) {
  return {.spaces = std::move(spaces),
          .gpu_node = 1,
          .managed_moves_by_fault = true,
          .refuse = [](const MigrationMode&, MemorySpace) { return std::string(); }};
}

const Measurement& named(const ProbeResult& result, std::string_view name) {
  const auto found = std::find_if(result.measurements.begin(), result.measurements.end(),
                                  [&](const Measurement& m) { return m.name == name; });
  if (found == result.measurements.end())
    throw std::runtime_error("no measurement " + std::string(name));
  return *found;
}

TEST(Patterns, AreNumberedAsTheThesisText) {
  const auto& all = patterns();
  std::set<std::tuple<Executor, Executor, Executor>> kinds;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const Pattern& p = all[n];
    EXPECT_EQ(p.number, static_cast<int>(n) + 1);
    EXPECT_EQ(p.executor, p.number <= 4 ? Executor::Host : Executor::Device);
    // (2), (3) and (5) to (7) have an array on the other side of the link.
    const bool at_home = p.source == p.executor && p.destination == p.executor;
    EXPECT_EQ(at_home, p.number == 1 || p.number == 8) << p.number;
    kinds.emplace(p.source, p.destination, p.executor);
  }
  EXPECT_EQ(kinds.size(), 8U);
  EXPECT_EQ(all[3].source, Executor::Device);
  EXPECT_EQ(all[3].destination, Executor::Device);
}

TEST(Patterns, TouchFirstThenCopyWithoutWarmUpThenVerify) {
  Operations operations;
  measure_patterns(settings_of(64, 2, 1), MemorySpace::Managed, 1,
                   making<MovingArrays>(operations));
  const Operations second{"make managed 64 none", "touch host device", "copy host", "copy host",
                          "verify host"};
  ASSERT_EQ(operations.size(), 8 * second.size());
  EXPECT_EQ(Operations(operations.begin() + 5, operations.begin() + 10), second);
}

TEST(Patterns, AllocateAfreshForEachExperimentAndKeepItsFirstRepeats) {
  Operations operations;
  const ProbeResult result = measure_patterns(
      settings_of(1'000'000'000, 3, 2), MemorySpace::Managed, 1, making<MovingArrays>(operations));
  EXPECT_EQ(std::count(operations.begin(), operations.end(), "make managed 1000000000 none"), 16);
  const Measurement& m = named(result, "(5) host to host by device");
  EXPECT_EQ(m.experiments, 2);
  EXPECT_TRUE(m.samples.warmup.empty());
  // 2 GB read + written; the first repeat of each experiment moves both arrays.
  const std::vector<double> expected{2.0 / 9, 2.0, 2.0, 2.0 / 9, 2.0, 2.0};
  EXPECT_EQ(m.samples.values, expected);
  const Record parameters{{"pattern", 5},         {"source", "host"},    {"destination", "host"},
                          {"executor", "device"}, {"memory", "managed"}, {"bytes", 1'000'000'000}};
  EXPECT_EQ(m.parameters, parameters);
}

TEST(Patterns, ShowWherePagesWereBeforeAndAfter) {
  Operations operations;
  const ProbeResult result = measure_patterns(settings_of(64, 5, 1), MemorySpace::Managed, 1,
                                              making<MovingArrays>(operations));
  const Record& table = result.tables["residency"];
  ASSERT_EQ(table["pattern"].size(), 16U);
  EXPECT_EQ(table["after_repeats"][3], 5);
  // (2): source with the host, destination with the GPU; then both with the host.
  EXPECT_EQ(table["source_on_gpu"][2], 0.0);
  EXPECT_EQ(table["destination_on_gpu"][2], 1.0);
  EXPECT_EQ(table["destination_on_host"][3], 1.0);
}

TEST(Patterns, TakeThePapersSizesAndCounts) {
  Operations operations;
  Settings paper;
  paper.paper = true;
  paper.experiments = 1;
  const ProbeResult result =
      measure_patterns(paper, MemorySpace::Managed, 1, making<MovingArrays>(operations));
  ASSERT_EQ(result.measurements.size(), 16U);
  EXPECT_EQ(result.measurements.front().parameters["bytes"], 4'000'000'000);
  EXPECT_EQ(result.measurements.back().parameters["bytes"], 8'000'000'000);
  EXPECT_EQ(result.measurements.front().samples.values.size(), 200U);
}

TEST(Patterns, CountWholeDoubles) {
  EXPECT_EQ(array_sizes(settings_of(4099, 1, 1)), std::vector<std::size_t>{4096});
}

TEST(Migration, IsGpuThenHostThenGpuOnArraysOfBoth) {
  Operations operations;
  measure_migration(settings_of(64, 2, 1), plan_of({MemorySpace::Managed}),
                    making<MovingArrays>(operations));
  const Operations plain{"make managed 64 none", "touch host device", "copy device",  "copy device",
                         "verify device",        "copy host",         "copy host",    "verify host",
                         "copy device",          "copy device",       "verify device"};
  ASSERT_GT(operations.size(), plain.size());
  EXPECT_EQ(Operations(operations.begin(),
                       operations.begin() + static_cast<std::ptrdiff_t>(plain.size())),
            plain);
}

TEST(Migration, HelpsTheDriverAsItsModeSays) {
  Operations operations;
  measure_migration(settings_of(64, 1, 1), plan_of({MemorySpace::Managed}),
                    making<MovingArrays>(operations));
  Operations made;
  std::copy_if(operations.begin(), operations.end(), std::back_inserter(made),
               [](const std::string& operation) { return operation.starts_with("make"); });
  EXPECT_EQ(made,
            (Operations{"make managed 64 none", "make managed 64 none", "make managed 64 preferred",
                        "make managed 64 read-mostly", "make managed 64 accessed-by"}));
  const auto prefetch = std::find(operations.begin(), operations.end(), "prefetch device");
  ASSERT_NE(prefetch, operations.end());
  EXPECT_EQ(Operations(prefetch - 1, prefetch + 5),
            (Operations{"touch host device", "prefetch device", "copy device", "verify device",
                        "prefetch host", "copy host"}));
  EXPECT_EQ(std::count(operations.begin(), operations.end(), "prefetch device"), 2);
}

TEST(Migration, DerivesOneWayRatesFromTheFirstRepeats) {
  Operations operations;
  const ProbeResult result =
      measure_migration(settings_of(1'000'000'000, 8, 3), plan_of({MemorySpace::Managed}),
                        making<MovingArrays>(operations));
  const Record& movement = result.derived["1000000000 bytes"]["managed"]["movement"];
  // An array of 1 GB moves in 4 s by fault and in 2 s by prefetch, whichever way.
  for (const char* key :
       {"HtoD by fault, device 1, one way GB/s", "DtoH by fault, host, one way GB/s",
        "HtoD by fault, device 2, one way GB/s"})
    EXPECT_NEAR(movement.at(key).get<double>(), 0.25, 1e-12) << key;
  for (const char* key :
       {"HtoD by prefetch, device 1, one way GB/s", "DtoH by prefetch, host, one way GB/s",
        "HtoD by prefetch, device 2, one way GB/s"})
    EXPECT_NEAR(movement.at(key).get<double>(), 0.5, 1e-12) << key;
  const Record& plain = result.derived["1000000000 bytes"]["managed"]["plain"]["host"];
  EXPECT_NEAR(plain.at("first_gbs").get<double>(), 2.0 / 9, 1e-12);
  EXPECT_EQ(plain.at("steady_gbs"), 2.0);
  EXPECT_EQ(plain.at("steady_repeat"), 2);
  const Measurement& before =
      named(result, "managed prefetch, host, the prefetch before it, one way");
  EXPECT_EQ(before.samples.values, std::vector<double>(3, 0.5));
  EXPECT_EQ(before.parameters["phase"], "before host");
}

TEST(Migration, DerivesNoRateByFaultWherePagesNeedNotMove) {
  Operations operations;
  MigrationPlan plan = plan_of({MemorySpace::Managed});
  plan.managed_moves_by_fault = false;
  const ProbeResult result =
      measure_migration(settings_of(64, 4, 1), plan, making<MovingArrays>(operations));
  const Record& movement = result.derived["64 bytes"]["managed"]["movement"];
  EXPECT_EQ(movement.size(), 3U);
  EXPECT_FALSE(movement.contains("HtoD by fault, device 1, one way GB/s"));
}

TEST(Migration, ShowsWherePagesAreBeforeAndAfterEachRepeat) {
  Operations operations;
  const ProbeResult result = measure_migration(
      settings_of(64, 2, 1), plan_of({MemorySpace::Managed}), making<MovingArrays>(operations));
  const Record& table = result.tables["residency managed plain 64 bytes"];
  EXPECT_EQ(table["phase"], Record({1, 1, 1, 2, 2, 2, 3, 3, 3}));
  EXPECT_EQ(table["after_repeats"], Record({0, 1, 2, 0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(table["source_on_gpu"], Record({0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0}));
  EXPECT_EQ(table["destination_on_host"], Record({0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0}));
}

TEST(Migration, LeavesOutWhatTheMachineRefusesAndSaysWhy) {
  Operations operations;
  MigrationPlan plan = plan_of({MemorySpace::Managed});
  plan.refuse = [](const MigrationMode& mode, MemorySpace) {
    return mode.prefetch ? std::string("it cannot prefetch") : std::string();
  };
  const ProbeResult result =
      measure_migration(settings_of(64, 1, 1), plan, making<MovingArrays>(operations));
  EXPECT_EQ(std::count(operations.begin(), operations.end(), "prefetch device"), 0);
  EXPECT_NE(std::find(result.notes.begin(), result.notes.end(),
                      "managed prefetch left out: it cannot prefetch"),
            result.notes.end());
}

TEST(Migration, IsThePapersPlainModeAloneWithPaper) {
  Operations operations;
  Settings paper;
  paper.paper = true;
  paper.experiments = 1;
  const ProbeResult result =
      measure_migration(paper, plan_of({MemorySpace::Managed}), making<MovingArrays>(operations));
  ASSERT_EQ(result.measurements.size(), 6U);
  for (const Measurement& m : result.measurements) {
    EXPECT_EQ(m.parameters["mode"], "plain");
    EXPECT_EQ(m.samples.values.size(), 100U);
  }
}

TEST(Residency, IsMarkedUnknownWithTheReason) {
  Operations operations;
  const ProbeResult result = measure_patterns(settings_of(64, 1, 1), MemorySpace::SystemAllocated,
                                              1, making<SilentArrays>(operations));
  EXPECT_FALSE(result.tables.contains("residency"));
  EXPECT_EQ(result.notes.back(), "residency is unknown: move_pages: Operation not permitted");
}

std::string notes_of(const ProbeResult& result) {
  std::string all;
  for (const std::string& note : result.notes) all += note + "\n";
  return all;
}

TEST(Patterns, SayWhyTheyAreInManagedMemory) {
  Operations operations;
  Settings settings = settings_of(64, 1, 1);
  const auto note = [&] {
    return notes_of(
        measure_patterns(settings, MemorySpace::Managed, 1, making<MovingArrays>(operations)));
  };
  EXPECT_TRUE(contains(note(), "managed memory, since this GPU does not reach"));
  settings.memspace = MemorySpace::Managed;
  EXPECT_TRUE(contains(note(), "managed memory, as chosen"));
}

TEST(SpacesToMeasure, AreAsChosenOrRefused) {
  Settings settings;
  settings.memspace = MemorySpace::SystemAllocated;
  const std::string reason = support(MemorySpace::SystemAllocated, Executor::Device).reason;
  if (reason.empty()) {
    EXPECT_EQ(spaces_to_measure(settings), std::vector{MemorySpace::SystemAllocated});
    return;
  }
  try {
    spaces_to_measure(settings);
    ADD_FAILURE() << "nothing was refused";
  } catch (const UnsupportedSpace& refused) {
    EXPECT_EQ(std::string(refused.what()), "--memspace system: " + reason);
  }
}

TEST(Residency, SaysInWhichSeriesNoPageMoved) {
  Operations operations;
  const std::string moving = notes_of(measure_patterns(
      settings_of(64, 2, 2), MemorySpace::SystemAllocated, 1, making<MovingArrays>(operations)));
  EXPECT_EQ(moving.find("no page moved"), std::string::npos) << moving;
  const std::string staying = notes_of(measure_patterns(
      settings_of(64, 2, 2), MemorySpace::SystemAllocated, 1, making<StayingArrays>(operations)));
  EXPECT_TRUE(contains(staying,
                       "no page moved to the host in (2) host to device by host, (3) device to "
                       "host by host, (4) device to device by host: it reached them"));
  EXPECT_TRUE(contains(staying,
                       "no page moved to the GPU in (5) host to host by device, (6) host to device "
                       "by device, (7) device to host by device: it reached them over the link"));
}

TEST(Residency, SaysThatNoPageMovedWhereTheGpusMemoryIsNoNode) {
  Operations operations;
  const std::string text = notes_of(measure_patterns(
      settings_of(64, 2, 1), MemorySpace::SystemAllocated, -1, making<PagesOfTheHost>(operations)));
  EXPECT_TRUE(contains(text, "(8) device to device by device: it reached them over the link"));
  EXPECT_EQ(text.find("moved to the host"), std::string::npos) << text;
}

TEST(Migration, SaysInWhichPhasesNoPageMoved) {
  Operations operations;
  const MigrationPlan plan = plan_of({MemorySpace::SystemAllocated});
  const std::string staying =
      notes_of(measure_migration(settings_of(64, 2, 1), plan, making<StayingArrays>(operations)));
  EXPECT_TRUE(contains(staying,
                       "no page moved to the GPU in system plain, device 1, system plain, "
                       "device 2"));
  EXPECT_TRUE(contains(staying, "no page moved to the host in system plain, host"));
  const std::string moving =
      notes_of(measure_migration(settings_of(64, 2, 1), plan, making<MovingArrays>(operations)));
  EXPECT_EQ(moving.find("no page moved"), std::string::npos) << moving;
}

TEST(Residency, ClaimsNothingOfAGpuThatIsNoNumaNode) {
  Operations operations;
  MovingArrays arrays(operations, {MemorySpace::Managed, 64, Advice::None});
  ResidencyTable table(-1);
  table.observe(arrays, {{"repeat", 0}});
  EXPECT_TRUE(table.columns().contains("source_on_host"));
  EXPECT_FALSE(table.columns().contains("source_on_gpu"));
  EXPECT_NE(table.unknown().find("no NUMA node"), std::string::npos);
}

}  // namespace
}  // namespace memstencil::membench
