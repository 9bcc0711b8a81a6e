// Pins how often a run is repeated, and which of its repeats stands for all.
#include "app/bench/repeats.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

std::vector<std::string> names_of(int count) {
  return repeated(count, [](const std::string& which) { return which; });
}

TEST(Repeats, AreCountedWhereThereAreSeveral) {
  EXPECT_EQ(names_of(1), std::vector<std::string>{""});
  EXPECT_EQ(names_of(3),
            (std::vector<std::string>{"run 1 of 3, ", "run 2 of 3, ", "run 3 of 3, "}));
}

TEST(MedianRun, IsTheSlowerOneOfTwoInTheMiddle) {
  const auto seconds = [](double run) { return run; };
  EXPECT_EQ(median_run(std::vector{5.0}, seconds), 5.0);
  EXPECT_EQ(median_run(std::vector{3.0, 1.0, 2.0}, seconds), 2.0);
  EXPECT_EQ(median_run(std::vector{4.0, 1.0, 3.0, 2.0}, seconds), 3.0);
}

}  // namespace
}  // namespace memstencil
