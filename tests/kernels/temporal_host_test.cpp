// Pins the fused sweeps on the host: bit for bit what single sweeps give, on any box of any grid.
#include "kernels/jacobi/temporal_host.hpp"

#include "tests/kernels/packed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace memstencil::jacobi {
namespace {

using Extents = std::array<std::int64_t, 3>;

// A whole grid with random coefficients and obstacles, and single sweeps over it written as the
// naive triple loop of the original program: it shares nothing with the code under test.
struct NoisyGrid {
  explicit NoisyGrid(const Extents& e) : extents(e), arrays(array_count) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> noise(-0.05F, 0.05F);
    const float standard[array_count] = {1, 1, 1, 1.0F / 6, 0, 0, 0, 1, 1, 1, 0, 0.5F, 1};
    for (int id = 0; id < array_count; ++id) {
      arrays[static_cast<std::size_t>(id)].resize(static_cast<std::size_t>(e[0] * e[1] * e[2]));
      for (float& x : arrays[static_cast<std::size_t>(id)]) x = standard[id] + noise(engine);
    }
    for (float& b : arrays[BND]) b = b < 0.97F ? 0.0F : 1.0F;
  }

  std::size_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return static_cast<std::size_t>((i * extents[1] + j) * extents[2] + k);
  }

  // One sweep over the points 1 .. extents-2; the square of every residual is kept by point.
  void sweep(std::vector<double>& squares) {
    const std::vector<float> p = arrays[P];
    squares.assign(p.size(), 0.0);
    for (std::int64_t i = 1; i < extents[0] - 1; ++i)
      for (std::int64_t j = 1; j < extents[1] - 1; ++j)
        for (std::int64_t k = 1; k < extents[2] - 1; ++k) {
          const auto q = [&](int di, int dj, int dk) { return p[at(i + di, j + dj, k + dk)]; };
          const auto c = [&](ArrayId id) { return arrays[id][at(i, j, k)]; };
          const float s0 = c(A0) * q(1, 0, 0) + c(A1) * q(0, 1, 0) + c(A2) * q(0, 0, 1) +
                           c(B0) * (q(1, 1, 0) - q(1, -1, 0) - q(-1, 1, 0) + q(-1, -1, 0)) +
                           c(B1) * (q(0, 1, 1) - q(0, -1, 1) - q(0, 1, -1) + q(0, -1, -1)) +
                           c(B2) * (q(1, 0, 1) - q(-1, 0, 1) - q(1, 0, -1) + q(-1, 0, -1)) +
                           c(C0) * q(-1, 0, 0) + c(C1) * q(0, -1, 0) + c(C2) * q(0, 0, -1) +
                           c(WRK1);
          const float ss = (s0 * c(A3) - q(0, 0, 0)) * c(BND);
          arrays[P][at(i, j, k)] = q(0, 0, 0) + 0.8F * ss;
          squares[at(i, j, k)] = static_cast<double>(ss * ss);
        }
  }

  Extents extents;
  std::vector<std::vector<float>> arrays;
};

// The part of a whole grid that a rank with halo `width` around `owned` has, in its own indices.
struct Part {
  Part(const NoisyGrid& whole, const Box& owned, std::int64_t width) : arrays(array_count) {
    const Extents& e = whole.extents;
    const Box all{{0, 0, 0}, {e[0], e[1], e[2]}};
    const Box interior{{1, 1, 1}, {e[0] - 1, e[1] - 1, e[2] - 1}};
    const Box here = grown(owned, std::max<std::int64_t>(width, 1), all);
    for (int d = 0; d < 3; ++d) {
      origin[static_cast<std::size_t>(d)] = here.lo[d];
      grid.extents[d] = here.hi[d] - here.lo[d];
      grid.owned.lo[d] = owned.lo[d] - here.lo[d];
      grid.owned.hi[d] = owned.hi[d] - here.lo[d];
      grid.interior.lo[d] = std::max(interior.lo[d] - here.lo[d], std::int64_t{0});
      grid.interior.hi[d] = std::min(interior.hi[d], here.hi[d]) - here.lo[d];
    }
    grid.pitch = row_pitch(grid.extents[2]);
    for (std::size_t id = 0; id < array_count; ++id) {
      arrays[id].resize(grid.floats());
      for_each_point([&](std::size_t mine,
                         std::size_t theirs) { arrays[id][mine] = whole.arrays[id][theirs]; },
                     whole);
    }
  }

  // Calls f(index here, index in the whole grid) for all points of this part.
  template <class F>
  void for_each_point(const F& f, const NoisyGrid& whole) const {
    for (std::int64_t i = 0; i < grid.extents[0]; ++i)
      for (std::int64_t j = 0; j < grid.extents[1]; ++j)
        for (std::int64_t k = 0; k < grid.extents[2]; ++k)
          f(grid.row(i, j) + static_cast<std::size_t>(k),
            whole.at(i + origin[0], j + origin[1], k + origin[2]));
  }

  Coefficients coefficients() const { return coefficients_of(arrays); }

  Grid grid{};
  Extents origin{};
  std::vector<std::vector<float>> arrays;
};

bool inside(const Box& box, const Extents& e, std::size_t n) {
  const auto at = static_cast<std::int64_t>(n);
  const std::int64_t x[3] = {at / (e[1] * e[2]), at / e[2] % e[1], at % e[2]};
  return std::equal(x, x + 3, box.lo, [](auto a, auto lo) { return a >= lo; }) &&
         std::equal(x, x + 3, box.hi, [](auto a, auto hi) { return a < hi; });
}

// One fused pass over `owned` of a whole grid against `sweeps` naive sweeps over all of it.
template <class Exec>
void expect_single_sweeps(const Extents& e, const Box& owned, int sweeps, const HostTile* shape) {
  NoisyGrid whole(e);
  const Part part(whole, owned, sweeps);
  constexpr float untouched = 77.0F;
  std::vector<float> next(part.grid.floats(), untouched);
  std::vector<double> gosa(static_cast<std::size_t>(sweeps), -1.0);
  const Pass pass{part.grid, part.coefficients(), part.arrays[P].data(), next.data(), gosa.data()};
  TemporalHostSweep<Exec> sweep = shape ? TemporalHostSweep<Exec>({}, part.grid, sweeps, *shape)
                                        : TemporalHostSweep<Exec>({}, part.grid, sweeps);
  sweep.run(pass);
  const std::vector<double> first = gosa;
  sweep.run(pass);
  EXPECT_EQ(gosa, first) << "the sums of a second run differ";

  const std::vector<float> in_one = packed(part.arrays);
  std::vector<float> next_of_packed(part.grid.floats(), untouched);
  sweep.run({part.grid, packed_coefficients(in_one.data()), part.arrays[P].data(),
             next_of_packed.data(), gosa.data()});
  EXPECT_EQ(gosa, first) << "the sums with packed coefficients differ";
  EXPECT_EQ(next_of_packed, next) << "p with packed coefficients differs";

  std::vector<double> squares;
  for (std::size_t s = 0; s < gosa.size(); ++s) {
    whole.sweep(squares);
    double expected = 0.0;
    for (std::size_t n = 0; n < squares.size(); ++n)
      if (inside(owned, e, n)) expected += squares[n];
    EXPECT_NEAR(gosa[s], expected, 1e-12 * expected) << "gosa of sweep " << s + 1;
  }
  std::int64_t wrong = 0;
  part.for_each_point(
      [&](std::size_t mine, std::size_t theirs) {
        const float expected = inside(owned, e, theirs) ? whole.arrays[P][theirs] : untouched;
        if (next[mine] != expected) ++wrong;
      },
      whole);
  EXPECT_EQ(wrong, 0) << e[0] << "x" << e[1] << "x" << e[2] << ", " << sweeps << " sweeps, "
                      << sweep.describe();
}

Box interior_of(const Extents& e) { return {{1, 1, 1}, {e[0] - 1, e[1] - 1, e[2] - 1}}; }

template <class Exec>
class TemporalHost : public testing::Test {};

using HostSpaces = testing::Types<
#if defined(KOKKOS_ENABLE_SERIAL)
    Kokkos::Serial
#if defined(KOKKOS_ENABLE_OPENMP) || defined(KOKKOS_ENABLE_THREADS)
    ,
#endif
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
    Kokkos::OpenMP
#elif defined(KOKKOS_ENABLE_THREADS)
    Kokkos::Threads
#endif
    >;
TYPED_TEST_SUITE(TemporalHost, HostSpaces);

TYPED_TEST(TemporalHost, EqualsSingleSweepsOnAnyExtents) {
  for (const Extents& e :
       {Extents{3, 3, 3}, {5, 4, 7}, {3, 40, 5}, {40, 3, 19}, {17, 19, 23}, {37, 45, 83}})
    for (int sweeps = 1; sweeps <= 8; ++sweeps)
      expect_single_sweeps<TypeParam>(e, interior_of(e), sweeps, nullptr);
}

TYPED_TEST(TemporalHost, EqualsSingleSweepsForAnyTile) {
  const Extents e{19, 23, 37};
  for (const HostTile& shape : {HostTile{17, 21, 2},
                                {17, 21, 3},
                                {17, 21, 5},
                                {17, 21, 20},
                                {17, 21, 21},
                                {17, 21, 400},
                                {1, 1, 2},
                                {2, 3, 2},
                                {5, 7, 4},
                                {16, 20, 7}})
    for (const int sweeps : {1, 2, 3, 5, 8})
      expect_single_sweeps<TypeParam>(e, interior_of(e), sweeps, &shape);
}

TYPED_TEST(TemporalHost, EqualsSingleSweepsOnTheBoxOfARank) {
  const Extents e{21, 18, 43};
  for (const Box& owned : {Box{{1, 1, 1}, {10, 17, 42}},
                           {{10, 1, 1}, {20, 17, 42}},
                           {{7, 5, 11}, {12, 9, 30}},
                           {{1, 8, 20}, {20, 9, 42}},
                           {{4, 4, 20}, {5, 5, 21}},
                           {{6, 2, 2}, {9, 16, 41}}})
    for (const int sweeps : {1, 2, 3, 4, 7})
      expect_single_sweeps<TypeParam>(e, owned, sweeps, nullptr);
}

TYPED_TEST(TemporalHost, GivesTheKnownGosaOfEverySweepOfTheStandardProblem) {
  const Extents e{64, 64, 128};
  NoisyGrid whole(e);
  const float standard[array_count] = {1, 1, 1, 1.0F / 6, 0, 0, 0, 1, 1, 1, 0, 0, 1};
  for (std::size_t id = 0; id < array_count; ++id)
    std::fill(whole.arrays[id].begin(), whole.arrays[id].end(), standard[id]);
  for (std::size_t n = 0; n < whole.arrays[P].size(); ++n) {
    const auto i = static_cast<std::int64_t>(n) / (e[1] * e[2]);
    whole.arrays[P][n] = static_cast<float>(i * i) / static_cast<float>((e[0] - 1) * (e[0] - 1));
  }
  const Part part(whole, interior_of(e), 1);
  std::vector<float> next = part.arrays[P];
  double gosa[3] = {};
  TemporalHostSweep<TypeParam>({}, part.grid, 3)
      .run({part.grid, part.coefficients(), part.arrays[P].data(), next.data(), gosa});
  EXPECT_NEAR(gosa[2], 3.296793923e-03, 1e-9 * 3.3e-03);
}

}  // namespace
}  // namespace memstencil::jacobi
