// Pins the contents of matrices: the documented values, padding, what a check finds, and packing.
#include "kernels/matrix/matrix.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace memstencil::matrix {
namespace {

using jacobi::downloaded;
using jacobi::uploaded;

template <class Exec>
class Matrix : public testing::Test {};
TYPED_TEST_SUITE(Matrix, jacobi::KernelSpaces);

constexpr std::array contents{Content::A, Content::Transposed};

/// Rows 2 to 4 and columns 1 to 6 of a matrix of 7 x 9.
constexpr Block inner{.rows = 3,
                      .columns = 6,
                      .pitch = 8,
                      .first_row = 2,
                      .first_column = 1,
                      .global_rows = 7,
                      .global_columns = 9};

template <class T, class Exec>
std::vector<T> filled(const Block& block, Content content) {
  const auto data = uploaded<Exec>(std::vector<T>(
      static_cast<std::size_t>(block.rows * block.pitch), std::numeric_limits<T>::quiet_NaN()));
  fill(Exec(), block, content, data.data());
  return downloaded(data);
}

TEST(MatrixValues, AreTheHashOfTheGlobalIndex) {
  // splitmix64(1) and splitmix64(1 ^ 1), by Vigna's own program:
  // 0x910a2dec89025cc1, 0xe220a8397b1dcdaf.
  const Block whole{1, 2, 2, 0, 0, 1, 2};
  EXPECT_EQ(value<float>(whole, Content::A, 0, 0), static_cast<float>(0x910a2d) * 0x1p-24F - 0.5F);
  EXPECT_EQ(value<float>(whole, Content::A, 0, 1), static_cast<float>(0xe220a8) * 0x1p-24F - 0.5F);
  EXPECT_EQ(value<double>(whole, Content::A, 0, 0),
            static_cast<double>(0x910a2dec89025cc1ULL >> 11) * 0x1p-53 - 0.5);
}

TEST(MatrixValues, OfATransposedMatrixAreThoseOfA) {
  const Block a{7, 9, 9, 0, 0, 7, 9}, b{9, 7, 7, 0, 0, 9, 7};
  for (std::int64_t r = 0; r < 7; ++r)
    for (std::int64_t c = 0; c < 9; ++c) {
      EXPECT_EQ(value<double>(b, Content::Transposed, c, r), value<double>(a, Content::A, r, c));
    }
}

TEST(MatrixValues, DifferAndLieAroundZero) {
  const Block block{100, 100, 100, 0, 0, 100, 100};
  std::set<double> seen;
  double sum = 0;
  for (std::int64_t r = 0; r < 100; ++r)
    for (std::int64_t c = 0; c < 100; ++c) {
      const double x = value<double>(block, Content::A, r, c);
      EXPECT_LE(std::abs(x), 0.5);
      sum += x;
      seen.insert(x);
    }
  EXPECT_EQ(seen.size(), 10000U);
  EXPECT_LT(std::abs(sum / 10000), 0.02);
}

TYPED_TEST(Matrix, FillWritesValuesAndZerosBehindThem) {
  for (const Content content : contents) {
    const std::vector<float> got = filled<float, TypeParam>(inner, content);
    for (std::int64_t r = 0; r < inner.rows; ++r)
      for (std::int64_t c = 0; c < inner.pitch; ++c)
        EXPECT_EQ(got[static_cast<std::size_t>(r * inner.pitch + c)],
                  c < inner.columns ? value<float>(inner, content, r, c) : 0.0F);
  }
}

TYPED_TEST(Matrix, CheckFindsEachSingleWrongElement) {
  const std::vector<float> right = filled<float, TypeParam>(inner, Content::Transposed);
  for (std::int64_t r = 0; r < inner.rows; ++r)
    for (std::int64_t c = 0; c < inner.pitch; ++c) {
      std::vector<float> values = right;
      float& changed = values[static_cast<std::size_t>(r * inner.pitch + c)];
      changed = r == 0 ? std::numeric_limits<float>::quiet_NaN() : std::nextafter(changed, 1.0F);
      const auto data = uploaded<TypeParam>(values);
      const Wrong wrong = check(TypeParam(), inner, Content::Transposed, data.data());
      const bool padding = c >= inner.columns;
      EXPECT_EQ(wrong.count, padding ? 0 : 1);
      EXPECT_EQ(wrong.row, padding ? 0 : r);
      EXPECT_EQ(wrong.column, padding ? 0 : c);
    }
}

TYPED_TEST(Matrix, CheckCountsAllAndNamesTheFirst) {
  std::vector<float> values = filled<float, TypeParam>(inner, Content::A);
  for (const std::size_t at : {8 + 4, 8 + 5, 16}) values[at] += 1;
  const auto data = uploaded<TypeParam>(values);
  const Wrong wrong = check(TypeParam(), inner, Content::A, data.data());
  EXPECT_EQ(wrong.count, 3);
  EXPECT_EQ(wrong.row, 1);
  EXPECT_EQ(wrong.column, 4);
}

/// Element by element, and 16 bytes at a time where everything lies at them.
TYPED_TEST(Matrix, PackLeavesNoGaps) {
  const std::vector<float> values = filled<float, TypeParam>(inner, Content::A);
  const auto data = uploaded<TypeParam>(values);
  ASSERT_EQ(inner.pitch, 8);
  for (const std::ptrdiff_t columns : {2, 4}) {
    std::vector<float> want;
    for (const std::ptrdiff_t at : {columns, 8 + columns, 16 + columns})
      want.insert(want.end(), values.begin() + at, values.begin() + at + columns);
    want.push_back(-1.0F);
    const auto packed = uploaded<TypeParam>(std::vector<float>(want.size(), -1.0F));
    pack(TypeParam(), data.data() + columns, inner.pitch, 3, columns, packed.data());
    EXPECT_EQ(downloaded(packed), want);
  }
}

}  // namespace
}  // namespace memstencil::matrix
