// Pins the copies of boxes out of an array and back.
#include "kernels/grid/packing.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace memstencil::jacobi {
namespace {

constexpr std::int64_t sample_extents[3] = {5, 6, 37};

Grid sample_grid() {
  return {{sample_extents[0], sample_extents[1], sample_extents[2]},
          row_pitch(sample_extents[2]),
          {},
          {}};
}

/// Each element a number of its own.
std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

/// Offsets in the array of the box's points, k fastest.
std::vector<std::size_t> offsets(const Grid& grid, const Box& box) {
  std::vector<std::size_t> out;
  for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
    for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j)
      for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k)
        out.push_back(grid.row(i, j) + static_cast<std::size_t>(k));
  return out;
}

const std::vector<Box> boxes{{{0, 0, 0}, {5, 6, 37}},  {{0, 0, 0}, {1, 6, 37}},
                             {{4, 0, 0}, {5, 6, 37}},  {{0, 2, 0}, {5, 4, 37}},
                             {{0, 0, 35}, {5, 6, 37}}, {{2, 3, 4}, {3, 4, 5}}};

template <class Exec>
class Boxes : public testing::Test {};
TYPED_TEST_SUITE(Boxes, KernelSpaces);

TYPED_TEST(Boxes, PackTakesThePointsOfTheBoxInOrder) {
  const Grid grid = sample_grid();
  const std::vector<float> values = counted(grid.floats());
  const auto data = uploaded<TypeParam>(values);
  for (const Box& box : boxes) {
    const auto packed =
        uploaded<TypeParam>(std::vector<float>(static_cast<std::size_t>(box.points()) + 1, -1));
    pack(TypeParam(), grid, box, data.data(), packed.data());
    std::vector<float> want;
    for (const std::size_t at : offsets(grid, box)) want.push_back(values[at]);
    want.push_back(-1.0F);
    EXPECT_EQ(downloaded(packed), want);
  }
}

TYPED_TEST(Boxes, UnpackWritesThePointsOfTheBoxAndNothingElse) {
  const Grid grid = sample_grid();
  for (const Box& box : boxes) {
    const auto data = uploaded<TypeParam>(std::vector<float>(grid.floats(), -1.0F));
    const std::vector<float> values = counted(static_cast<std::size_t>(box.points()));
    const auto packed = uploaded<TypeParam>(values);
    unpack(TypeParam(), grid, box, packed.data(), data.data());
    std::vector<float> want(grid.floats(), -1.0F);
    std::size_t n = 0;
    for (const std::size_t at : offsets(grid, box)) want[at] = values[n++];
    EXPECT_EQ(downloaded(data), want);
  }
}

TYPED_TEST(Boxes, AnEmptyBoxCopiesNothing) {
  const Grid grid = sample_grid();
  const auto data = uploaded<TypeParam>(std::vector<float>(grid.floats(), -1.0F));
  const auto packed = uploaded<TypeParam>(std::vector<float>{5.0F});
  const Box empty{{1, 2, 3}, {1, 4, 5}};
  pack(TypeParam(), grid, empty, data.data(), packed.data());
  unpack(TypeParam(), grid, empty, packed.data(), data.data());
  EXPECT_EQ(downloaded(packed), std::vector<float>{5.0F});
  EXPECT_EQ(downloaded(data), std::vector<float>(grid.floats(), -1.0F));
}

}  // namespace
}  // namespace memstencil::jacobi
