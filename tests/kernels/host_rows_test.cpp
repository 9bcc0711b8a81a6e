// Pins the host's row update: the original's result to the bit, and nothing touched beside it.
#include "kernels/jacobi/host_rows.hpp"

#include "tests/kernels/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace memstencil::jacobi {
namespace {

// The block around the two rows under test.
constexpr std::int64_t i_extent = 3;
constexpr std::int64_t j_extent = 4;

// 13 blocks of 3x4 rows with random values; bnd is 0 in every fifth point or so.
struct Block {
  explicit Block(std::int64_t k_extent, unsigned seed = 1)
      : grid{{i_extent, j_extent, k_extent}, row_pitch(k_extent), {}, {}}, arrays(array_count) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> value(-1.0F, 1.0F);
    for (auto& array : arrays) {
      array.resize(grid.elements(), std::numeric_limits<float>::quiet_NaN());
      for (std::int64_t r = 0; r < i_extent * j_extent; ++r)
        for (std::int64_t k = 0; k < k_extent; ++k)
          array[static_cast<std::size_t>(r * grid.pitch + k)] = value(engine);
    }
    for (float& b : arrays[BND]) b = b < -0.6F ? 0.0F : 1.0F;
  }

  RowInputs middle_row(std::int64_t j = 1) const {
    return row_inputs(grid, coefficients_of(arrays), arrays[P].data(), 1, j);
  }

  float at(ArrayId id, std::int64_t i, std::int64_t j, std::int64_t k) const {
    return arrays[id][grid.row(i, j) + static_cast<std::size_t>(k)];
  }

  Grid grid;
  std::vector<std::vector<float>> arrays;
};

/// ss of the original program at (1, 1, k).
float expected_residual(const Block& b, std::int64_t k) {
  return reference::residual(
      [&](int di, int dj, int dk) { return b.at(P, 1 + di, 1 + dj, k + dk); },
      [&](ArrayId id) { return b.at(id, 1, 1, k); });
}

/// The updated points of a row, and the sum over the counted ones.
void expect_row(const Block& b, const float* row, double sum, Span updated, Span counted) {
  double expected_sum = 0.0;
  for (std::int64_t k = updated.lo; k < updated.hi; ++k) {
    const float ss = expected_residual(b, k);
    EXPECT_EQ(row[k], b.at(P, 1, 1, k) + 0.8F * ss) << "k " << k << " of " << b.grid.extents[2];
    if (k >= counted.lo && k < counted.hi) expected_sum += static_cast<double>(ss * ss);
  }
  EXPECT_NEAR(sum, expected_sum, 1e-14 * expected_sum);
}

struct Case {
  std::int64_t k_extent;
  Span updated, counted;
  std::int64_t shift = 0;  // floats by which the output row is off a cache line
};

void expect_original_by(const Case& c, Stores stores) {
  const Block b(c.k_extent);
  constexpr float untouched = 77.0F;
  alignas(64) float next[1024];
  for (float& x : next) x = untouched;
  float* const row = next + 32 + c.shift;
  const RowInputs in = b.middle_row();

  const double sum = update_row(in, row, c.updated, c.counted, stores);
  finish_streaming();
  expect_row(b, row, sum, c.updated, c.counted);
  for (std::int64_t k = -16; k < c.k_extent + 64; ++k)
    EXPECT_TRUE(row[k] == untouched || (k >= c.updated.lo && k < c.updated.hi)) << "k " << k;
}

void expect_original(const Case& c) {
  for (const Stores stores : {Stores::Cached, Stores::Streaming}) expect_original_by(c, stores);
}

TEST(HostRow, EqualsTheOriginalAtEveryLength) {
  for (const std::int64_t k_extent :
       {3, 4, 5, 16, 17, 18, 19, 31, 32, 33, 34, 49, 50, 83, 128, 131, 257})
    expect_original({k_extent, {1, k_extent - 1}, {1, k_extent - 1}});
}

TEST(HostRow, CountsOnlyTheCountedPoints) {
  for (const Span counted : {Span{4, 90}, Span{1, 50}, Span{60, 99}, Span{30, 31}, Span{0, 0}})
    expect_original({100, {1, 99}, counted});
}

TEST(HostRow, LeavesPointsOutsideTheSpanAlone) {
  for (std::int64_t lo = 1; lo < 20; ++lo) expect_original({100, {lo, 70 + lo}, {lo, 70 + lo}});
}

TEST(HostRow, TakesAnOutputRowOfAnyAlignment) {
  for (std::int64_t shift = 0; shift < 17; ++shift) expect_original({67, {1, 66}, {1, 66}, shift});
}

TEST(StreamedRow, CopiesBoundaryAndPadFromPWhereItMay) {
  for (const std::int64_t k_extent : {18, 31, 32, 33, 100, 255, 256}) {
    Block b(k_extent);
    b.grid.interior = b.grid.owned = {{1, 1, 1}, {2, 2, k_extent - 1}};
    const Span all{1, k_extent - 1};
    alignas(64) float next[1024];
    std::fill(next, next + 1024, 77.0F);
    const RowInputs in = b.middle_row();
    const double sum = update_row(in, next, all, all, Stores::Streaming, copyable_points(b.grid));
    finish_streaming();
    expect_row(b, next, sum, all, all);
    EXPECT_EQ(next[0], b.at(P, 1, 1, 0));
    // Where the last point before the boundary ends a line, the boundary's
    // line is not written at all.
    const float last = k_extent % 16 == 1 ? 77.0F : b.at(P, 1, 1, k_extent - 1);
    EXPECT_EQ(next[k_extent - 1], last);
    for (std::int64_t k = b.grid.pitch; k < 1024; ++k) EXPECT_EQ(next[k], 77.0F);
  }
}

TEST(StreamedRow, CopiesNothingNextToAHalo) {
  Grid grid{{3, 3, 100}, 160, {{0, 0, 0}, {3, 3, 99}}, {{1, 1, 1}, {2, 2, 99}}};
  EXPECT_EQ(copyable_points(grid).lo, 1);
  EXPECT_EQ(copyable_points(grid).hi, 160);
  grid.interior.hi[2] = 100;
  EXPECT_EQ(copyable_points(grid).hi, 99);
}

TEST(FetchedRow, IsTheRowToTheBitWithItsSum) {
  for (const Stores stores : {Stores::Cached, Stores::Streaming})
    for (std::int64_t k_extent = 3; k_extent < 140; ++k_extent) {
      Block b(k_extent);
      b.grid.interior = b.grid.owned = {{1, 1, 1}, {2, 2, k_extent - 1}};
      const Span all{1, k_extent - 1};
      alignas(64) float plain[160] = {}, fetched[160] = {};
      const RowInputs in = b.middle_row();
      const double sum = update_row(in, plain, all, all, stores, copyable_points(b.grid));
      EXPECT_EQ(sum, update_row(in, fetched, all, all, stores, copyable_points(b.grid),
                                Prefetch(ahead_of(in))))
          << k_extent;
      finish_streaming();
      for (std::int64_t k = 1; k < k_extent - 1; ++k)
        EXPECT_EQ(fetched[k], plain[k]) << "k " << k << " of " << k_extent;
    }
}

// Of every length, also counted in part or not at all, and with output rows that stand differently.
TEST(TwoRows, AreEachRowToTheBitWithItsSum) {
  for (std::int64_t k_extent = 3; k_extent < 140; ++k_extent)
    for (const std::int64_t shift : {0, 5}) {
      const Block b(k_extent);
      const Span all{1, k_extent - 1};
      const RowInputs in[2] = {b.middle_row(1), b.middle_row(2)};
      for (const Span counted : {all, Span{0, 0}, Span{1, (k_extent + 1) / 2}}) {
        alignas(64) float apart[2][192], at_once[2][192];
        for (auto* out : {&apart, &at_once}) std::fill((*out)[0], (*out)[0] + 2 * 192, 77.0F);
        const std::array<double, 2> sums =
            update_two_rows(in, {at_once[0], at_once[1] + shift}, all, counted);
        for (int n = 0; n < 2; ++n) {
          EXPECT_EQ(sums[static_cast<std::size_t>(n)],
                    update_row(in[n], apart[n] + n * shift, all, counted, Stores::Cached))
              << k_extent;
          for (int k = 0; k < 192; ++k)
            EXPECT_EQ(at_once[n][k], apart[n][k]) << "k " << k << " of " << k_extent;
        }
      }
    }
}

}  // namespace
}  // namespace memstencil::jacobi
