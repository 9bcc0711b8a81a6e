// Pins the copies of boxes out of an array and back.
#include "kernels/grid/boxes.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

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
  for_points(box, [&](auto i, auto j, auto k) {
    out.push_back(grid.row(i, j) + static_cast<std::size_t>(k));
  });
  return out;
}

const std::vector<Box> boxes{{{0, 0, 0}, {5, 6, 37}},  {{0, 0, 0}, {1, 6, 37}},
                             {{4, 0, 0}, {5, 6, 37}},  {{0, 2, 0}, {5, 4, 37}},
                             {{0, 0, 35}, {5, 6, 37}}, {{2, 3, 4}, {3, 4, 5}},
                             {{1, 2, 3}, {1, 4, 5}}};  // nothing

template <class Exec>
class Boxes : public testing::Test {};
TYPED_TEST_SUITE(Boxes, KernelSpaces);

TYPED_TEST(Boxes, SpoiledOnesAreNaNAndNothingElseIs) {
  const Grid grid = sample_grid();
  for (const Box& box : boxes) {
    const auto data = uploaded<TypeParam>(counted(grid.elements()));
    spoil(TypeParam(), grid, box, data.data());
    std::vector<float> got = downloaded(data);
    for (const std::size_t at : offsets(grid, box)) {
      EXPECT_TRUE(std::isnan(got[at]));
      got[at] = static_cast<float>(at + 1);
    }
    EXPECT_EQ(got, counted(grid.elements()));
  }
}

TYPED_TEST(Boxes, WithTheSameBitsHaveTheSameHashWhereverTheyLie) {
  const Grid grid = sample_grid();
  const Box here{{1, 2, 3}, {3, 5, 36}}, there{{2, 3, 4}, {4, 6, 37}};
  std::vector<float> values = counted(grid.elements());
  const auto from = offsets(grid, here), to = offsets(grid, there);
  std::vector<float> taken;
  for (const std::size_t at : from) taken.push_back(values[at]);
  const auto hashes = [&] {
    const auto data = uploaded<TypeParam>(values);
    return std::pair(hash(TypeParam(), grid, there, data.data()),
                     hash(TypeParam(), grid, here, data.data()));
  };
  const std::uint64_t before = hashes().second;
  for (std::size_t n = 0; n < to.size(); ++n) values[to[n]] = taken[n];
  EXPECT_EQ(hashes().first, before);
  std::swap(values[to[5]], values[to[6]]);
  EXPECT_NE(hashes().first, before) << "two that changed places";
  std::swap(values[to[5]], values[to[6]]);
  values[to.back()] = std::nextafter(values[to.back()], 1e9F);
  EXPECT_NE(hashes().first, before) << "one bit";
}

TYPED_TEST(Boxes, TellTheFirstPointWhoseBitsDiffer) {
  const Grid grid = sample_grid();
  const std::vector<float> values = counted(grid.elements());
  const auto a = uploaded<TypeParam>(values);
  for (const Box& box : boxes) {
    std::vector<float> other(values.size(), -1.0F);  // differs everywhere else
    const auto at = offsets(grid, box);
    if (at.empty()) continue;
    for (const std::size_t n : at) other[n] = values[n];
    const auto first = [&] {
      return first_difference(TypeParam(), grid, box, a.data(), uploaded<TypeParam>(other).data());
    };
    EXPECT_EQ(first(), std::nullopt);
    other[at.back()] = std::nextafter(other[at.back()], 0.0F);
    EXPECT_EQ(first(), static_cast<std::int64_t>(at.size()) - 1);
    other[at.front()] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(first(), 0);
  }
}

TYPED_TEST(Boxes, ArePackedInOrderAndUnpackedThereAndNowhereElse) {
  const Grid grid = sample_grid();
  const std::vector<float> values = counted(grid.elements());
  const auto data = uploaded<TypeParam>(values);
  for (const Box& box : boxes) {
    const auto packed =
        uploaded<TypeParam>(std::vector<float>(static_cast<std::size_t>(box.points()) + 1, -1));
    pack(TypeParam(), grid, box, data.data(), packed.data());
    std::vector<float> in_order, in_place(grid.elements(), -1.0F);
    for (const std::size_t at : offsets(grid, box)) {
      in_order.push_back(values[at]);
      in_place[at] = values[at];
    }
    in_order.push_back(-1.0F);
    EXPECT_EQ(downloaded(packed), in_order);
    const auto there = uploaded<TypeParam>(std::vector<float>(grid.elements(), -1.0F));
    unpack(TypeParam(), grid, box, packed.data(), there.data());
    EXPECT_EQ(downloaded(there), in_place);
  }
}

}  // namespace
}  // namespace memstencil::jacobi
