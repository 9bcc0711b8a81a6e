// Pins the second expression of the sweep to the naive reference, to the bit.
#include "app/himeno/verify.hpp"

#include "tests/kernels/reference.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

namespace memstencil::himeno {
namespace {

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
  for (std::int64_t i = target.lo[0]; i < target.hi[0]; ++i)
    for (std::int64_t j = target.lo[1]; j < target.hi[1]; ++j)
      for (std::int64_t k = target.lo[2]; k < target.hi[2]; ++k, ++n)
        wrong += std::bit_cast<std::uint32_t>(got.at(n)) !=
                         std::bit_cast<std::uint32_t>(whole.arrays[jacobi::P][whole.at(i, j, k)])
                     ? 1
                     : 0;
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
