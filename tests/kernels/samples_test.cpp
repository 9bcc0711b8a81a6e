// Pins the samples that the verification takes.
#include "kernels/jacobi/arrays.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace memstencil::jacobi {
namespace {

template <class Exec>
class Samples : public testing::Test {};
TYPED_TEST_SUITE(Samples, KernelSpaces);

TYPED_TEST(Samples, AreTheCubesAroundTheirCentresOutOfEveryArray) {
  const std::int64_t e[3] = {5, 6, 37};
  const Grid grid{{e[0], e[1], e[2]}, row_pitch(e[2]), {}, {}};
  const auto counted = [&] {
    std::vector<float> values(grid.elements());
    std::iota(values.begin(), values.end(), 1.0F);
    return values;
  };
  std::vector<std::vector<float>> values;
  std::vector<ArrayOf<TypeParam, float>> data;
  for (std::size_t a = 0; a < array_count; ++a) {
    values.push_back(counted());
    for (float& x : values.back()) x += 10000.0F * static_cast<float>(a);
    data.push_back(uploaded<TypeParam>(values.back()));
  }
  const auto in_one = uploaded<TypeParam>(packed(values));
  std::vector<float> outcome = counted();
  for (float& x : outcome) x = -x;
  const auto result = uploaded<TypeParam>(outcome);
  const std::vector<std::int64_t> centres{2, 3, 18, 1, 1, 1, 3, 4, 35, 0, 5, 36};
  const auto centres_there = uploaded<TypeParam>(centres);
  for (const int radius : {1, 2, 3}) {
    const std::int64_t side = 2 * radius + 1;
    const auto cube = static_cast<std::size_t>(side * side * side);
    std::vector<float> want, want_results;
    for (std::size_t n = 0; n < 4; ++n) {
      const std::int64_t* c = &centres[3 * n];
      want_results.push_back(outcome[grid.row(c[0], c[1]) + static_cast<std::size_t>(c[2])]);
      for (std::size_t a = 0; a < array_count; ++a)
        for (std::int64_t i = c[0] - radius; i <= c[0] + radius; ++i)
          for (std::int64_t j = c[1] - radius; j <= c[1] + radius; ++j)
            for (std::int64_t k = c[2] - radius; k <= c[2] + radius; ++k)
              want.push_back(reference::contains({{0, 0, 0}, {e[0], e[1], e[2]}}, i, j, k)
                                 ? values[a][grid.row(i, j) + static_cast<std::size_t>(k)]
                                 : 0.0F);
    }
    for (const Coefficients& coefficients :
         {coefficients_of(data), packed_coefficients(in_one.data())}) {
      const auto cubes = uploaded<TypeParam>(std::vector<float>(4 * array_count * cube, -1.0F));
      const auto results = uploaded<TypeParam>(std::vector<float>(4, -1.0F));
      gather(TypeParam(), grid, coefficients, data[P].data(), result.data(), centres_there.data(),
             4, radius, cubes.data(), results.data());
      EXPECT_EQ(downloaded(cubes), want) << radius << ", " << name(coefficients.layout);
      EXPECT_EQ(downloaded(results), want_results) << radius << ", " << name(coefficients.layout);
    }
  }
}

}  // namespace
}  // namespace memstencil::jacobi
