// Pins Field: a Buffer as an array of several indices, the last one fastest.
#include "memory_spaces/field.hpp"

#include "memory_spaces/movement.hpp"
#include "tests/memory_spaces/each_space.hpp"

#include <vector>

namespace memstencil {
namespace {

constexpr std::size_t I = 5, J = 7, K = 11;

void write(const Field<int, 3>& field) {
  const auto view = field.device_view();
  Kokkos::parallel_for(
      "test: write", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {I, J, K}),
      KOKKOS_LAMBDA(const int i, const int j, const int k) {
        view(i, j, k) = 10000 * i + 100 * j + k;
      });
}

using FieldIn = EachSpace;

TEST_P(FieldIn, HasTheLastIndexFastestAndNoGaps) {
  const Field<int, 3> field(GetParam(), {I, J, K});
  EXPECT_EQ(field.size(), I * J * K);
  EXPECT_EQ(field.buffer().bytes(), I * J * K * sizeof(int));
  EXPECT_EQ(field.extents(), (Field<int, 3>::Extents{I, J, K}));
  write(field);
  Kokkos::fence();
  std::vector<int> got(field.size());
  copy(got.data(), field.data(), field.buffer().bytes());
  for (std::size_t i = 0; i < I; ++i)
    for (std::size_t j = 0; j < J; ++j)
      for (std::size_t k = 0; k < K; ++k)
        EXPECT_EQ(got[(i * J + j) * K + k], static_cast<int>(10000 * i + 100 * j + k));
}

TEST_P(FieldIn, WhoseBytesPassTheEndOf64BitsIsRefused) {
  constexpr std::size_t half = std::size_t{1} << 32;  // the product of both is 0 again
  EXPECT_THROW((Field<float, 2>(GetParam(), {half, half})), OutOfMemory);
  EXPECT_THROW((Field<double, 1>(GetParam(), {std::size_t{1} << 61})), OutOfMemory);
}

INSTANTIATE_TEST_SUITE_P(Spaces, FieldIn, testing::ValuesIn(all_memory_kinds()), space_test_name);

}  // namespace
}  // namespace memstencil
