// Pins Field: a Buffer as an array of one to three indices, the last one fastest,
// alike for kernels and host.
#include "memory_spaces/field.hpp"

#include "memory_spaces/movement.hpp"
#include "tests/memory_spaces/each_space.hpp"

#include <vector>

namespace memstencil {
namespace {

constexpr std::size_t I = 5, J = 7, K = 11;

void write(const Field<float, 2>& field) {
  const auto view = field.device_view();
  Kokkos::parallel_for(
      "test: write 2", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {I, J}),
      KOKKOS_LAMBDA(const int i, const int j) { view(i, j) = static_cast<float>(100 * i + j); });
}

void write(const Field<int, 3>& field) {
  const auto view = field.device_view();
  Kokkos::parallel_for(
      "test: write 3", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {I, J, K}),
      KOKKOS_LAMBDA(const int i, const int j, const int k) {
        view(i, j, k) = 10000 * i + 100 * j + k;
      });
}

template <class T, int Rank>
std::vector<T> read_back(const Field<T, Rank>& field) {
  Kokkos::fence();
  std::vector<T> out(field.size());
  copy(out.data(), field.data(), out.size() * sizeof(T));
  return out;
}

using FieldIn = EachSpace;

TEST_P(FieldIn, OfTwoIndicesHasTheLastFastest) {
  const Field<float, 2> field(GetParam(), {I, J});
  write(field);
  const std::vector<float> got = read_back(field);
  for (std::size_t i = 0; i < I; ++i)
    for (std::size_t j = 0; j < J; ++j) EXPECT_EQ(got[i * J + j], static_cast<float>(100 * i + j));
}

TEST_P(FieldIn, OfThreeIndicesHasNoGaps) {
  const Field<int, 3> field(GetParam(), {I, J, K});
  EXPECT_EQ(field.size(), I * J * K);
  EXPECT_EQ(field.buffer().bytes(), I * J * K * sizeof(int));
  EXPECT_EQ(field.extents(), (Field<int, 3>::Extents{I, J, K}));
  write(field);
  const std::vector<int> got = read_back(field);
  for (std::size_t i = 0; i < I; ++i)
    for (std::size_t j = 0; j < J; ++j)
      for (std::size_t k = 0; k < K; ++k)
        EXPECT_EQ(got[(i * J + j) * K + k], static_cast<int>(10000 * i + 100 * j + k));
}

TEST_P(FieldIn, ShowsHostCodeTheSameElements) {
  const Field<int, 3> field(GetParam(), {I, J, K});
  if (!field.buffer().host_accessible()) {
    EXPECT_THROW(field.host_view(), UnsupportedSpace);
    return;
  }
  write(field);
  Kokkos::fence();
  const auto view = field.host_view();
  EXPECT_EQ(view.extent(0), I);
  EXPECT_EQ(view.extent(1), J);
  EXPECT_EQ(view.extent(2), K);
  EXPECT_EQ(view(4, 6, 10), 40610);
  EXPECT_EQ(&view(1, 2, 3), field.data() + (J + 2) * K + 3);
}

TEST_P(FieldIn, WhoseBytesPassTheEndOf64BitsIsRefused) {
  constexpr std::size_t half = std::size_t{1} << 32;  // the product of both is 0 again
  EXPECT_THROW((Field<float, 2>(GetParam(), {half, half})), OutOfMemory);
  EXPECT_THROW((Field<double, 1>(GetParam(), {std::size_t{1} << 61})), OutOfMemory);
}

INSTANTIATE_TEST_SUITE_P(Spaces, FieldIn, testing::ValuesIn(all_memory_kinds()), space_test_name);

}  // namespace
}  // namespace memstencil
