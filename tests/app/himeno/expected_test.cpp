// Pins the verification's own arithmetic: the right value passes, a wrong one does not.
#include "app/himeno/verify.hpp"

#include "app/base/runtime/failure.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/kernels/reference.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace memstencil::himeno {
namespace {

namespace reference = jacobi::reference;

/// The cube around a point out of all arrays, 0 beyond the grid.
std::vector<float> cube_around(const reference::Whole& whole, const Triple& point, int radius) {
  std::vector<float> values;
  for (std::size_t a = 0; a < jacobi::array_count; ++a)
    for (std::int64_t i = point[0] - radius; i <= point[0] + radius; ++i)
      for (std::int64_t j = point[1] - radius; j <= point[1] + radius; ++j)
        for (std::int64_t k = point[2] - radius; k <= point[2] + radius; ++k) {
          const auto& e = whole.extents;
          const bool inside = reference::contains({{0, 0, 0}, {e[0], e[1], e[2]}}, i, j, k);
          values.push_back(inside ? whole.arrays[a][whole.at(i, j, k)] : 0.0F);
        }
  return values;
}

Expected expected_at(const reference::Whole& whole, const Triple& point, int sweeps) {
  const std::vector<float> values = cube_around(whole, point, sweeps);
  Box interior = reference::interior_of(whole.extents);
  for (std::size_t d = 0; d < 3; ++d) interior.lo[d] -= point[d], interior.hi[d] -= point[d];
  return expected({.radius = sweeps, .values = values.data()}, sweeps, interior);
}

TEST(Expected, IsWhatTheOriginalsSweepsGiveAtEveryPoint) {
  for (const reference::Seed& seed : {reference::Seed{}, reference::Seed{1}})
    for (const int sweeps : {1, 2, 3, 4}) {
      const reference::Whole start({6, 7, 9}, seed);
      reference::Whole after = start;
      for (int n = 0; n < sweeps; ++n) after.sweep();
      for (std::int64_t i = 1; i < 5; ++i)
        for (std::int64_t j = 1; j < 6; ++j)
          for (std::int64_t k = 1; k < 8; ++k) {
            const Expected want = expected_at(start, {i, j, k}, sweeps);
            const float right = after.arrays[jacobi::P][after.at(i, j, k)];
            EXPECT_NO_THROW(verify_point(want, right, {i, j, k}, 0));
            EXPECT_LT(want.error, 1e-5) << "too much would pass";
          }
    }
}

void expect_refused(const Expected& want, float got) {
  const auto verify = [&] { verify_point(want, got, {11, 22, 33}, 5); };
  EXPECT_TRUE(contains(refusal(ExitCode::Verification, verify), "p(11, 22, 33)"))
      << got << " for " << want.p;
}

TEST(VerifyPoint, RefusesAnErrorOf1e5AndWhatIsNoNumber) {
  for (const reference::Seed& seed : {reference::Seed{}, reference::Seed{1}})
    for (const int sweeps : {1, 2, 3}) {
      const Expected want = expected_at(reference::Whole({9, 9, 9}, seed), {4, 4, 4}, sweeps);
      const auto right = static_cast<float>(want.p);
      EXPECT_NO_THROW(verify_point(want, right, {11, 22, 33}, 5));
      expect_refused(want, right + 1e-5F);
      expect_refused(want, right - 1e-5F);
      expect_refused(want, 0.0F);
      expect_refused(want, std::numeric_limits<float>::quiet_NaN());
      expect_refused(want, std::numeric_limits<float>::infinity());
    }
}

TEST(VerifyPoint, RefusesOneSweepTooFewAndTooMany) {
  const reference::Whole start({9, 9, 9}, 1);
  const Expected want = expected_at(start, {4, 4, 4}, 2);
  reference::Whole other = start;
  other.sweep();
  expect_refused(want, other.arrays[jacobi::P][other.at(4, 4, 4)]);
  other.sweep();
  other.sweep();
  expect_refused(want, other.arrays[jacobi::P][other.at(4, 4, 4)]);
}

TEST(KnownGosa, IsThatOfTheListedCasesOnly) {
  const Triple s{64, 64, 128};
  EXPECT_EQ(known_gosa(s, 3, {}, false), 3.296793923e-03);
  EXPECT_EQ(known_gosa(s, 3, 1, false), 1.536936424);
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
  EXPECT_NO_THROW(verify_gosa(known, known));
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
  EXPECT_THROW(verify_same_gosa(first, std::vector{3e-3, 2e-3 * (1 + 1e-11)}), Failure);
}

}  // namespace
}  // namespace memstencil::himeno
