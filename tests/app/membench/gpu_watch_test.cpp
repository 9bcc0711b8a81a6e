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
  EXPECT_NE(low_clocks_text(course).find("power cap in 100 % of"), std::string::npos);
}

TEST(GpuWatch, LeavesOutWhatTheDriverDoesNotTell) {
  const Record record = to_record(watched(FAKE_NVML_OLDER, 3));
  EXPECT_FALSE(record.contains("watts"));
  EXPECT_EQ(record["celsius"]["median"], 61.0);
  const GpuCourse nothing = watched(FAKE_NVML_FAILING, 2);
  EXPECT_FALSE(nothing.sm_clock_mhz || nothing.celsius || nothing.held_down);
  EXPECT_EQ(low_clocks_text(nothing), "");
}

TEST(GpuWatch, LooksOnceWhateverShortTime) {
  const GpuCourse course = course_during([] {}, [] { return GpuMoment{}; }, std::chrono::hours(1));
  EXPECT_EQ(course.looks, 1);
}

TEST(GpuWatch, SaysWhereClocksWereLow) {
  const auto moment = [](double mhz, std::vector<std::string> reasons) {
    return GpuMoment{{mhz, 2619, reasons}, 640, 71};
  };
  EXPECT_EQ(low_clocks_text(course_of({moment(1980, {}), moment(1965, {})})), "");
  EXPECT_EQ(low_clocks_text(course_of({moment(1980, {}), moment(1980, {}), moment(1200, {})})),
            "SM 1980 MHz (1200 to 1980), up to 640 W, up to 71 C");
  const GpuCourse held = course_of({moment(1980, {}), moment(1980, {"power cap"}),
                                    moment(1980, {"power cap", "sync boost"}), moment(1980, {})});
  EXPECT_EQ(held.held_down->at("power cap"), 0.5);
  EXPECT_EQ(held.held_down->at("sync boost"), 0.25);
  EXPECT_EQ(
      low_clocks_text(held),
      "SM 1980 MHz (1980 to 1980), up to 640 W, up to 71 C, held down by power cap in 50 % of "
      "4 looks, held down by sync boost in 25 % of 4 looks");
}

}  // namespace
}  // namespace memstencil::membench
