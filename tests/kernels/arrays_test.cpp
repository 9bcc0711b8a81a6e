// Pins what the arrays start with: docs/design.md's formulas, whatever part of the grid a rank has;
// and the samples of them that the verification takes.
#include "kernels/jacobi/arrays.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

namespace memstencil::jacobi {
namespace {

using reference::Extents;
using reference::Seed;

/// Floats of all arrays that differ from the formulas, over the box [lo, hi) of the whole grid.
template <class Exec>
std::size_t wrong_values(const Extents& global, const Seed& seed, const Box& here) {
  Grid grid{{here.hi[0] - here.lo[0], here.hi[1] - here.lo[1], here.hi[2] - here.lo[2]}, 0, {}, {}};
  grid.pitch = row_pitch(grid.extents[2]);
  const Filling filling{
      {global[0], global[1], global[2]}, {here.lo[0], here.lo[1], here.lo[2]}, seed};
  std::size_t wrong = 0;
  for (int id = 0; id < array_count; ++id) {
    const auto array = static_cast<ArrayId>(id);
    const auto data = uploaded<Exec>(std::vector<float>(grid.elements(), untouched));
    initialise(Exec(), grid, filling, array, data.data());
    const std::vector<float> got = downloaded(data);
    for_points({{}, {grid.extents[0], grid.extents[1], grid.pitch}}, [&](auto i, auto j, auto k) {
      const float want = k < grid.extents[2]
                             ? reference::initial(array, global, seed, here.lo[0] + i,
                                                  here.lo[1] + j, here.lo[2] + k)
                             : 0.0F;
      wrong += same_bits(got[grid.row(i, j) + static_cast<std::size_t>(k)], want) ? 0 : 1;
    });
  }
  return wrong;
}

template <class Exec>
class Initialise : public testing::Test {};
TYPED_TEST_SUITE(Initialise, KernelSpaces);

TYPED_TEST(Initialise, FollowsTheFormulasToTheBitInAnyPartOfAGrid) {
  struct Case {
    Extents global;
    Box part;
  };
  constexpr Extents odd{19, 23, 37}, large{2000, 2000, 2000};
  for (const auto& [global, part] :
       {Case{{3, 3, 3}, {{0, 0, 0}, {3, 3, 3}}}, Case{{37, 45, 83}, {{0, 0, 0}, {37, 45, 83}}},
        Case{odd, {{0, 0, 0}, {19, 23, 37}}}, Case{odd, {{0, 0, 0}, {10, 12, 20}}},
        Case{odd, {{9, 11, 18}, {19, 23, 37}}}, Case{odd, {{4, 20, 1}, {5, 23, 36}}},
        Case{odd, {{18, 0, 36}, {19, 1, 37}}},
        // The index of a point no longer fits 32 bits.
        Case{large, {{1995, 1996, 1997}, {2000, 2000, 2000}}}})
    for (const Seed& seed : {Seed{}, Seed{0}, Seed{1}, Seed{~std::uint64_t{0}}})
      EXPECT_EQ(wrong_values<TypeParam>(global, seed, part), 0U) << global[0] << " " << part.lo[0];
}

TYPED_TEST(Initialise, PackedCoefficientsAreTheArraysWholeOrSlabBySlab) {
  for (const Seed& seed : {Seed{}, Seed{1}}) {
    Grid grid{{7, 5, 83}, row_pitch(83), {}, {}};
    const Filling filling{{20, 30, 100}, {3, 6, 9}, seed};
    std::vector<std::vector<float>> arrays;
    for (int id = 0; id < array_count; ++id) {
      const auto data = uploaded<TypeParam>(std::vector<float>(grid.elements(), untouched));
      initialise(TypeParam(), grid, filling, static_cast<ArrayId>(id), data.data());
      arrays.push_back(downloaded(data));
    }
    for (const std::int64_t planes : {7, 3}) {
      const auto data = uploaded<TypeParam>(std::vector<float>(12 * grid.elements(), untouched));
      for (std::int64_t i = 0; i < 7; i += planes) {
        Grid slab = grid;
        slab.extents[0] = std::min(planes, 7 - i);
        Filling its = filling;
        its.origin[0] += i;
        initialise_packed(TypeParam(), slab, its, data.data() + 12 * grid.row(i, 0));
      }
      EXPECT_EQ(downloaded(data), packed(arrays)) << planes << " planes at a time";
    }
  }
}

}  // namespace
}  // namespace memstencil::jacobi
