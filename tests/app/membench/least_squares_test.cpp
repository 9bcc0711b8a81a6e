// Least squares finds what made the points, and says how well terms explain them.
#include "app/membench/hierarchy/least_squares.hpp"

#include "app/membench/hierarchy/bank_wavefronts.hpp"
#include "app/membench/hierarchy/shared_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace memstencil::membench {
namespace {

TEST(LeastSquares, FindsTheCoefficientsOfPointsWithoutNoise) {
  const std::vector<double> x{1, 2, 5, 9}, square{1, 4, 25, 81}, one(4, 1.0);
  std::vector<double> y;
  for (std::size_t n = 0; n < x.size(); ++n) y.push_back(3 * x[n] - 0.5 * square[n] + 7);
  const Fit fit = least_squares({x, square, one}, y);
  EXPECT_NEAR(fit.coefficients[0], 3, 1e-12);
  EXPECT_NEAR(fit.coefficients[1], -0.5, 1e-12);
  EXPECT_NEAR(fit.coefficients[2], 7, 1e-12);
  EXPECT_NEAR(fit.r_squared, 1, 1e-14);
  EXPECT_NEAR(fit.largest_residual, 0, 1e-11);
}

// Anscombe's quartet, first set (The American Statistician 27, 1973): a line of 0.5001 and 3.0001, R2 0.6665.
TEST(LeastSquares, AgreesWithAPublishedRegression) {
  const std::vector<double> x{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5}, one(11, 1.0);
  const std::vector<double> y{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
  const Fit fit = least_squares({x, one}, y);
  EXPECT_NEAR(fit.coefficients[0], 0.50009, 1e-5);
  EXPECT_NEAR(fit.coefficients[1], 3.00009, 1e-5);
  EXPECT_NEAR(fit.r_squared, 0.66654, 1e-5);
  EXPECT_NEAR(fit.rms_residual, 1.11855, 1e-5);
  EXPECT_NEAR(fit.largest_residual, -1.92127, 1e-5);
  ASSERT_EQ(fit.residuals.size(), 11U);
  EXPECT_NEAR(fit.residuals[2], -1.92127, 1e-5);
}

TEST(LeastSquares, SaysHowFarOffInPartsOfThePoint) {
  const std::vector<double> one(3, 1.0), y{10, 20, 30};  // mean 20: off by 100 %, 0 and 33 %
  EXPECT_NEAR(least_squares({one}, y).median_relative_residual, 1.0 / 3, 1e-12);
  EXPECT_NEAR(least_squares({one}, y).r_squared, 0, 1e-12);
}

TEST(LeastSquares, RefusesWhatHasNoAnswer) {
  const std::vector<double> x{1, 2, 3}, twice{2, 4, 6}, two{1, 2}, zero(3, 0.0);
  EXPECT_THROW(least_squares({x, twice}, x), std::invalid_argument);
  EXPECT_THROW(least_squares({zero}, x), std::invalid_argument);
  EXPECT_THROW(least_squares({two}, x), std::invalid_argument);
  EXPECT_THROW(least_squares({two, two, two}, two), std::invalid_argument);
  EXPECT_THROW(least_squares({}, x), std::invalid_argument);
}

std::vector<SharedPoint> points(const auto& cycles) {
  std::vector<SharedPoint> all;
  for (int i = 1; i <= 32; i += 3)
    for (int w = 1; w <= 32; w += 3)
      for (int c = 1; c <= 32; c += 3) all.push_back({i, w, c, 0, 0, cycles(i, w, c)});
  return all;
}

TEST(SharedFits, FindThePapersEquationInItsOwnPoints) {
  const Fit fit = paper_fit(points([](int i, int w, int c) { return 1.047 * i * w * c + 337.698; }));
  EXPECT_NEAR(fit.coefficients[0], 1.047, 1e-9);
  EXPECT_NEAR(fit.coefficients[1], 337.698, 1e-6);
}

TEST(SharedFits, TellAMachineWithNarrowBanksFromThePapers) {
  const auto narrow = points([](int i, int w, int c) {
    return 1.01 * i * std::max(4, std::max(2, w) * bank_wavefronts(static_cast<unsigned>(c), 8)) + 0.5 * w +
           25;
  });
  const Fit hopper = hopper_fit(narrow, 8);
  EXPECT_NEAR(hopper.coefficients[0], 1.01, 1e-9);
  EXPECT_NEAR(hopper.coefficients[1], 0.5, 1e-7);
  EXPECT_NEAR(hopper.coefficients[2], 25, 1e-6);
  EXPECT_GT(hopper.r_squared, paper_fit(narrow).r_squared);
}

}  // namespace
}  // namespace memstencil::membench
