// Pins the second expression of the sweep to the naive reference, at a few points and at all: p to
// the bit, gosa of each sweep, in one piece and in several, and that a point that differs is found.
#include "app/grid/verify.hpp"
#include "app/himeno/verify.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace memstencil::himeno {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using jacobi::reference::Whole;

constexpr Triple cone_extents{14, 23, 37};

/// The reference with p of random:1 and other coefficients.
Whole whole_of(const std::optional<std::uint64_t>& seed) {
  Whole whole(cone_extents, seed);
  whole.arrays[jacobi::P] = Whole(cone_extents, 1).arrays[jacobi::P];
  return whole;
}

const Box targets[] = {{{1, 1, 1}, {13, 22, 36}},  // all that changes
                       {{1, 1, 1}, {2, 2, 2}},     // a corner
                       {{5, 4, 8}, {8, 6, 12}}};   // the inside

std::size_t wrong_points(const Whole& whole, const Box& target, const std::vector<float>& got) {
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
    Whole whole = whole_of(seed);
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
  Whole whole = whole_of(1);
  whole.rounds_once = true;
  whole.sweep();
  EXPECT_EQ(wrong_points(whole, targets[0], evaluate({cone_extents, 1, 1, true}, targets[0], 1)),
            0U);
}

TEST(Cone, CountsWhatItEvaluates) {
  EXPECT_EQ(updates(cone_extents, targets[1], 1), 1);
  EXPECT_EQ(updates(cone_extents, targets[1], 3), 1 + 2 * 2 * 2 + 3 * 3 * 3)
      << "clipped at the corner";
  EXPECT_EQ(kept_points(cone_extents, targets[1], 3), 5 * 5 * 5);
  EXPECT_EQ(updates(cone_extents, targets[0], 4), 4 * 12 * 21 * 35) << "the grid at most";
}

constexpr int everywhere_sweeps = 5;

/// p of a rank after some sweeps of random values, and gosa of its points.
struct RankResult {
  Subdomain subdomain;
  std::vector<float> p;
  std::vector<double> gosa;
};

RankResult rank_result(const std::array<int, 3>& ranks, int rank,
                       const std::optional<std::uint64_t>& seed) {
  Whole whole = whole_of(seed);
  RankResult out{
      subdomain_of(cone_extents, ranks, rank, ranks[0] * ranks[1] * ranks[2], 1), {}, {}};
  const Box owned = out.subdomain.global_box(out.subdomain.grid.owned);
  for (int n = 0; n < everywhere_sweeps; ++n) out.gosa.push_back(whole.sweep(owned));
  out.p = jacobi::LocalProblem<Exec>(whole, owned, 1).part_of(whole, whole.arrays[jacobi::P]);
  return out;
}

std::vector<double> checked(const RankResult& result, const std::optional<std::uint64_t>& seed,
                            double bytes) {
  return compare_everywhere(Exec(), result.subdomain, {cone_extents, seed, 1, false},
                            everywhere_sweeps, result.p.data(), bytes);
}

constexpr double whole_grid_bytes = 14.0 * 4 * 14 * 23 * 64;

TEST(Everywhere, HasTheReferencesBitsAndGosaInAnyPieces) {
  for (const std::optional<std::uint64_t>& seed : {std::optional<std::uint64_t>{}, {7}})
    for (int rank = 0; rank < 4; ++rank)
      for (const double bytes : {1e9, 0.9 * whole_grid_bytes}) {
        const RankResult right = rank_result({2, 2, 1}, rank, seed);
        const std::vector<double> gosa = checked(right, seed, bytes);
        for (std::size_t n = 0; n < gosa.size(); ++n)
          EXPECT_NEAR(gosa[n], right.gosa[n], 1e-13 * right.gosa[n]) << n;
      }
}

TEST(Everywhere, NamesAPointThatDiffersInOneBit) {
  const RankResult right = rank_result({2, 1, 1}, 1, 7);
  const Grid& grid = right.subdomain.grid;
  for (const auto& [i, j, k] : {Triple{1, 1, 1}, {3, 12, 20}, {6, 21, 35}}) {
    RankResult wrong = right;
    float& one = wrong.p[grid.row(i, j) + static_cast<std::size_t>(k)];
    one = std::bit_cast<float>(std::bit_cast<std::uint32_t>(one) ^ 1U);
    const Box point{{i, j, k}, {i + 1, j + 1, k + 1}};
    for (const double bytes : {1e9, 0.9 * whole_grid_bytes})
      EXPECT_TRUE(contains(refusal(ExitCode::Verification, [&] { checked(wrong, 7, bytes); }),
                           point_text(right.subdomain, point, 0) + " is "));
  }
}

TEST(Everywhere, FailsWhereNoPieceFitsTheMemory) {
  EXPECT_THROW(checked(rank_result({1, 1, 1}, 0, 7), 7, 1e3), Failure);
}

}  // namespace
}  // namespace memstencil::himeno
