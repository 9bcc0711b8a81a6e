// Pins the checks of gosa: the right value passes, a wrong one does not; and the second expression
// of the sweep to the naive reference, to the bit.
#include "app/himeno/verify.hpp"
#include "app/base/runtime/failure.hpp"
#include "tests/kernels/points.hpp"
#include "tests/kernels/reference.hpp"

#include <gtest/gtest.h>

#include <cstdint>
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

constexpr Triple cone_extents{12, 11, 19};
const Box targets[] = {{{1, 1, 1}, {11, 10, 18}},  // all that changes
                       {{1, 1, 1}, {2, 2, 2}},     // a corner
                       {{5, 4, 8}, {8, 6, 12}}};   // the inside

/// The reference with p of random:1 and other coefficients.
jacobi::reference::Whole whole_of(const std::optional<std::uint64_t>& seed) {
  jacobi::reference::Whole whole(cone_extents, seed);
  whole.arrays[jacobi::P] = jacobi::reference::Whole(cone_extents, 1).arrays[jacobi::P];
  return whole;
}

std::size_t wrong_points(const jacobi::reference::Whole& whole, const Box& target,
                         const std::vector<float>& got) {
  std::size_t wrong = 0, n = 0;
  for_points(target, [&](auto i, auto j, auto k) {
    wrong += same_bits(got.at(n++), whole.arrays[jacobi::P][whole.at(i, j, k)]) ? 0 : 1;
  });
  EXPECT_EQ(n, got.size());
  return wrong;
}

TEST(Cone, HasTheReferencesBitsAfterAnyNumberOfSweeps) {
  for (const std::optional<std::uint64_t>& seed :
       {std::optional<std::uint64_t>{}, {1}, {0xFFFFFFFFFFFFFFFF}}) {
    jacobi::reference::Whole whole = whole_of(seed);
    for (int sweeps = 1; sweeps <= 8; ++sweeps) {
      whole.sweep();
      for (const Box& target : targets)
        EXPECT_EQ(
            wrong_points(whole, target, evaluate({cone_extents, seed, 1, false}, target, sweeps)),
            0U)
            << sweeps;
    }
  }
}

TEST(Cone, RoundsOnceWhereTheExecutorDoes) {
  jacobi::reference::Whole whole = whole_of(1);
  whole.sweep();
  const auto once = evaluate({cone_extents, 1, 1, true}, targets[0], 1);
  EXPECT_GT(wrong_points(whole, targets[0], once), once.size() / 4);
  const auto twice = evaluate({cone_extents, 1, 1, false}, targets[0], 1);
  for (std::size_t n = 0; n < once.size(); ++n) EXPECT_NEAR(once[n], twice[n], 1e-6);
}

TEST(Cone, CountsWhatItEvaluates) {
  EXPECT_EQ(updates(cone_extents, targets[1], 1), 1);
  EXPECT_EQ(updates(cone_extents, targets[1], 3), 1 + 2 * 2 * 2 + 3 * 3 * 3)
      << "clipped at the corner";
  EXPECT_EQ(kept_points(cone_extents, targets[1], 3), 5 * 5 * 5);
  EXPECT_EQ(updates(cone_extents, targets[0], 4), 4 * 10 * 9 * 17) << "the grid at most";
}

}  // namespace
}  // namespace memstencil::himeno
