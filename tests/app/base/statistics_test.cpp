// Statistics of samples against figures worked out elsewhere.
#include "app/base/record/statistics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <stdexcept>
#include <vector>

namespace memstencil {
namespace {

TEST(Statistics, OrderStatisticsNeedNoOrder) {
  const std::array samples{3.0, 1.0, 2.0, 10.0};
  const Statistics s = statistics(samples);
  EXPECT_EQ(s.count, 4U);
  EXPECT_EQ(s.minimum, 1.0);
  EXPECT_EQ(s.median, 2.5);
  EXPECT_EQ(s.maximum, 10.0);
  EXPECT_EQ(statistics(std::array{5.0, 1.0, 3.0}).median, 3.0);
}

TEST(Statistics, MeanDeviationAndInterval) {
  // 2 4 4 4 5 5 7 9: mean 5, sum of squares 32, t(7) = 2.364624251592784
  const Statistics s = statistics(std::array{2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0});
  EXPECT_DOUBLE_EQ(s.mean, 5.0);
  EXPECT_NEAR(s.confidence_high - s.mean, 1.787487918236, 1e-11);
  EXPECT_NEAR(s.mean - s.confidence_low, 1.787487918236, 1e-11);
  EXPECT_NEAR(s.relative_half_width, 0.3574975836472, 1e-12);
}

TEST(Statistics, QuantilesOfStudentsTAreThoseOfTheTables) {
  EXPECT_NEAR(student_t_95(1), 12.706204736432095, 1e-8);
  EXPECT_NEAR(student_t_95(2), 4.302652729911275, 1e-9);
  EXPECT_NEAR(student_t_95(3), 3.182446305284263, 1e-9);
  EXPECT_NEAR(student_t_95(10), 2.2281388519649385, 1e-9);
  EXPECT_NEAR(student_t_95(30), 2.0422724563012373, 1e-9);
  EXPECT_NEAR(student_t_95(1000), 1.9623390808264078, 1e-9);
  EXPECT_NEAR(student_t_95(10'000), student_t_95(9'999), 3e-8) << "no jump between the two ways";
}

TEST(Statistics, SamplesThatShareATimeMakeTheMeanNoSurer) {
  const Statistics apart = statistics(std::array{2.0, 3.0, 7.0});
  const Statistics shared =
      statistics(std::array{2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0, 7.0, 7.0, 7.0, 7.0}, 3);
  EXPECT_DOUBLE_EQ(shared.mean, apart.mean);
  EXPECT_DOUBLE_EQ(shared.confidence_low, apart.confidence_low);
  EXPECT_DOUBLE_EQ(shared.confidence_high, apart.confidence_high);
  EXPECT_EQ(shared.count, 12U);
}

TEST(Statistics, OneSampleHasNoSpread) {
  const Statistics s = statistics(std::array{7.0});
  EXPECT_EQ(s.median, 7.0);
  EXPECT_EQ(s.mean, 7.0);
  EXPECT_EQ(s.relative_half_width, 0.0);
}

TEST(Statistics, RefusesWhatHasNone) {
  EXPECT_THROW(statistics(std::vector<double>{}), std::invalid_argument);
  EXPECT_THROW(statistics(std::array{1.0, std::numeric_limits<double>::quiet_NaN()}),
               std::invalid_argument);
}

}  // namespace
}  // namespace memstencil
