// Pins how rows are shared out among ranks, and how they are padded.
#include "app/transpose/distribution.hpp"

#include <gtest/gtest.h>

namespace memstencil::transpose {
namespace {

TEST(Distribution, SharesOutEveryRowOnceAndEvenly) {
  for (const std::int64_t total : {1, 2, 3, 4, 5, 7, 100, 8191})
    for (int ranks = 1; ranks <= 5; ++ranks) {
      const Distribution d{{total, 3}, 0, ranks, 4};
      std::int64_t next = 0;
      for (int r = 0; r < ranks; ++r) {
        const Slice slice = d.rows_of_a(r);
        EXPECT_EQ(slice.first, next);
        EXPECT_GE(slice.count, total / ranks);
        EXPECT_LE(slice.count, (total + ranks - 1) / ranks);
        next += slice.count;
      }
      EXPECT_EQ(next, total);
    }
}

TEST(Distribution, PlacesTheRowsOfBothMatrices) {
  const Distribution d{{7, 10}, 1, 3, 8};
  const matrix::Block a = d.a(), b = d.b();
  EXPECT_EQ(a.rows, 2);
  EXPECT_EQ(a.first_row, 3);
  EXPECT_EQ(a.columns, 10);
  EXPECT_EQ(a.global_rows, 7);
  EXPECT_EQ(b.rows, 3);
  EXPECT_EQ(b.first_row, 4);
  EXPECT_EQ(b.columns, 7);
  EXPECT_EQ(b.global_rows, 10);
  EXPECT_EQ(b.global_columns, 7);
}

TEST(RowPitch, IsWholeLinesOf128Bytes) {
  EXPECT_EQ(row_pitch(1, 4), 32);
  EXPECT_EQ(row_pitch(32, 4), 32);
  EXPECT_EQ(row_pitch(33, 4), 64);
  EXPECT_EQ(row_pitch(16, 8), 16);
  EXPECT_EQ(row_pitch(8191, 8), 8192);
}

}  // namespace
}  // namespace memstencil::transpose
