// What is told of a GPU that was looked at while something ran, by a library in NVML's place.
#include "app/membench/core/program.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace memstencil::membench {
namespace {

const std::string watched_gpu = "GPU-00112233-4455-6677-8899-aabbccddeeff";

/// Of work that ends when there were `looks` looks.
GpuCourse watched(const std::string& library, int looks) {
  const Nvml nvml(watched_gpu, library);
  std::atomic<int> seen = 0;
  return course_during(
      [&] {
        while (seen < looks) std::this_thread::yield();
      },
      [&] {
        ++seen;
        return nvml.moment();
      },
      std::chrono::milliseconds(1));
}

TEST(GpuWatch, HasClocksPowerTemperatureAndReasonsOfAllLooks) {
  const GpuCourse course = watched(FAKE_NVML_WHOLE, 30);
  EXPECT_GE(course.looks, 30);
  const Record record = to_record(course);
  EXPECT_EQ(record["looks"], course.looks);
  EXPECT_EQ(record["sm_clock_mhz"]["median"], 1755.0);
  EXPECT_EQ(record["memory_clock_mhz"]["max"], 3200.0);
  EXPECT_EQ(record["watts"]["min"], 400.0);
  EXPECT_EQ(record["watts"]["median"], 500.0);
  EXPECT_EQ(record["watts"]["max"], 600.0);
  EXPECT_EQ(record["celsius"]["median"], 61.0);
  EXPECT_NEAR(record["held_down"]["power cap"].get<double>(), 1, 1e-9);
}

TEST(GpuWatch, LeavesOutWhatTheDriverDoesNotTell) {
  const Record record = to_record(watched(FAKE_NVML_OLDER, 3));
  EXPECT_FALSE(record.contains("watts"));
  EXPECT_EQ(record["celsius"]["median"], 61.0);
  const GpuCourse nothing = watched(FAKE_NVML_FAILING, 2);
  EXPECT_FALSE(nothing.sm_clock_mhz || nothing.celsius || nothing.held_down);
}

TEST(GpuWatch, LooksOnceWhateverShortTime) {
  const GpuCourse course = course_during([] {}, [] { return GpuMoment{}; }, std::chrono::hours(1));
  EXPECT_EQ(course.looks, 1);
}

TEST(GpuWatch, SaysWhereClocksWereLow) {
  const auto moment = [](double mhz, std::vector<std::string> reasons) {
    return GpuMoment{{mhz, 2619, reasons}, 640, 71};
  };
  const GpuCourse held = course_of({moment(1980, {}), moment(1980, {"power cap"}),
                                    moment(1980, {"power cap", "sync boost"}), moment(1980, {})});
  EXPECT_EQ(held.held_down->at("power cap"), 0.5);
  EXPECT_EQ(held.held_down->at("sync boost"), 0.25);
  ProbeRecord record;
  record.probe = &probes().front();
  record.gpu = held;
  Result result;
  result.probes = {record};
  const std::string text = text_report(result, false);
  EXPECT_NE(text.find("clocks: held down by power cap in 50 % of 4 looks\n"), std::string::npos);
  EXPECT_NE(text.find("clocks: held down by sync boost in 25 % of 4 looks\n"), std::string::npos);
}

}  // namespace
}  // namespace memstencil::membench
