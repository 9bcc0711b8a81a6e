// Sums and maxima over the ranks, with numbers that are not finite.
#include "app/base/ranks/communicator.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace memstencil {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Reductions, TakeEachElementByItself) {
  const Communicator ranks;
  const double own = ranks.rank(), last = ranks.size() - 1;
  std::array values{own, -own, own == last ? infinity : 1.0};
  ranks.maximum(values);
  EXPECT_EQ(values, (std::array{last, -0.0, infinity}));
  EXPECT_EQ(ranks.minimum(own), 0.0);
  EXPECT_EQ(ranks.sum(own), last * (last + 1) / 2);
}

TEST(Reductions, AreNaNOnAllRanksIfOneRankHasANaN) {
  const Communicator ranks;
  for (int with_nan = 0; with_nan < ranks.size(); ++with_nan) {
    const double own = ranks.rank() == with_nan ? nan : 5.0 + ranks.rank();
    std::array values{own, 2.0};
    ranks.maximum(values);
    EXPECT_TRUE(std::isnan(values[0])) << with_nan;
    EXPECT_EQ(values[1], 2.0);
    EXPECT_TRUE(std::isnan(ranks.minimum(own)));
    EXPECT_TRUE(std::isnan(ranks.sum(own)));
  }
}

}  // namespace
}  // namespace memstencil
