// Pins the checks of gosa: the right value passes, a wrong one does not.
#include "app/himeno/verify.hpp"
#include "app/base/runtime/failure.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace memstencil::himeno {
namespace {

TEST(KnownGosa, IsThatOfTheListedCasesOnly) {
  const Triple s{64, 64, 128};
  EXPECT_EQ(known_gosa(s, 3, {}, false), 3.296793923e-03);
  EXPECT_EQ(known_gosa(s, 3, 1, false), 1.536936424);
  EXPECT_EQ(known_gosa({256, 256, 512}, 3, {}, false), 8.606862309e-04);
  // What an H100 and an H200 gave (inputs/reference/samples).
  EXPECT_EQ(known_gosa({512, 512, 1024}, 100, {}, true), 4.185973760e-04);
  EXPECT_EQ(known_gosa({256, 256, 512}, 50, {}, true), 8.088334843e-04);
  EXPECT_FALSE(known_gosa(s, 4, {}, false));
  EXPECT_FALSE(known_gosa(s, 3, 2, false));
  EXPECT_FALSE(known_gosa(s, 50, 1, false));
  EXPECT_FALSE(known_gosa({64, 128, 64}, 3, {}, false));
}

TEST(KnownGosa, HasTheDefaultCaseAndTheOriginalSizes) {
  for (const char* size : {"XS", "S", "M", "L", "XL"})
    for (const bool fma : {false, true})
      EXPECT_TRUE(known_gosa(parse_size(size), 100, {}, fma)) << size;
}

TEST(VerifyGosa, RefusesWhatIsNotTheKnownValueAndNoNumber) {
  const double known = 3.296793923e-03;
  for (const double near : {known, known * (1 + 5e-10), known * (1 - 5e-10)})
    EXPECT_NO_THROW(verify_gosa(near, known));
  EXPECT_NO_THROW(verify_gosa(1.0, {}));
  for (const double wrong : {known * (1 + 2e-9), known * (1 - 2e-9), 0.0, -known})
    EXPECT_THROW(verify_gosa(wrong, known), Failure) << wrong;
  for (const double none :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(verify_gosa(none, known), Failure);
    EXPECT_THROW(verify_gosa(none, {}), Failure);
  }
}

TEST(VerifySameGosa, RefusesRunsThatDifferInASweepThatBothMade) {
  const std::vector<double> first{3e-3, 2e-3, 1e-3};
  EXPECT_NO_THROW(verify_same_gosa(first, first));
  EXPECT_NO_THROW(verify_same_gosa(first, std::vector{3e-3, 2e-3 * (1 + 1e-13)}));
  EXPECT_NO_THROW(verify_same_gosa(std::vector{0.0}, std::vector{0.0}));
  const std::vector<double> other_order{3e-3, 2e-3 * (1 + 4e-12)};
  EXPECT_THROW(verify_same_gosa(first, other_order), Failure);
  EXPECT_NO_THROW(verify_same_gosa(first, other_order, order_of_points));
  EXPECT_THROW(verify_same_gosa(first, std::vector{3e-3, 2e-3 * (1 + 2e-11)}, order_of_points),
               Failure);
}

}  // namespace
}  // namespace memstencil::himeno
