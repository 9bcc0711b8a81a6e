// Pins what a repeat is called, and which of its repeats stands for all.
#include "app/bench/repeats.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

TEST(Repeats, AreCountedWhereThereAreSeveral) {
  EXPECT_EQ(which_run(1, 1), "");
  EXPECT_EQ(which_run(2, 3), "run 2 of 3, ");
}

TEST(MedianRun, IsTheSlowerOneOfTwoInTheMiddle) {
  const auto seconds = [](double run) { return run; };
  EXPECT_EQ(median_run(std::vector{5.0}, seconds), 5.0);
  EXPECT_EQ(median_run(std::vector{3.0, 1.0, 2.0}, seconds), 2.0);
  EXPECT_EQ(median_run(std::vector{4.0, 1.0, 3.0, 2.0}, seconds), 3.0);
}

}  // namespace
}  // namespace memstencil
