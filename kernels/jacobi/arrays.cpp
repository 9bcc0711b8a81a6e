// The first values of the arrays: the original's standard ones, or random ones around them.
#include "kernels/jacobi/arrays.hpp"

#include "kernels/jacobi/stencil.hpp"
#include "kernels/random.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil::jacobi {

namespace {

/// Uniform in [0, 1), a multiple of 2^-24.
KOKKOS_INLINE_FUNCTION float uniform(std::uint64_t seed, int array, std::uint64_t n) {
  return static_cast<float>(element_hash(seed, array, n) >> 40) * 0x1p-24F;
}

/// Two roundings on every processor: the coefficients must be the same bits on host and device.
KOKKOS_INLINE_FUNCTION float perturbed(float value, float u) {
  return value + product(0.01F, u - 0.5F);
}

KOKKOS_INLINE_FUNCTION float standard_value(int array, std::int64_t i, std::int64_t i_extent) {
  switch (array) {
    case A3:
      return static_cast<float>(1.0 / 6.0);
    case B0:
    case B1:
    case B2:
    case WRK1:
      return 0.0F;
    case P:
      return static_cast<float>(i * i) / static_cast<float>((i_extent - 1) * (i_extent - 1));
    default:
      return 1.0F;
  }
}

/// The value of one point of one array; indices are global.
KOKKOS_INLINE_FUNCTION float value_at(const Filling& filling, bool random, std::uint64_t seed,
                                      int array, std::int64_t i, std::int64_t j, std::int64_t k) {
  const float value = standard_value(array, i, filling.global[0]);
  if (!random) return value;
  const std::int64_t n = (i * filling.global[1] + j) * filling.global[2] + k;
  const float u = uniform(seed, array, static_cast<std::uint64_t>(n));
  if (array == BND) return static_cast<double>(u) < 0.02 ? 0.0F : 1.0F;
  return perturbed(value, u);
}

/// An element of a row: of which array, and which k.
struct Element {
  int array;
  std::int64_t k;
};

/// Element n of a row of one array, or of the packed rows of all coefficients.
template <Layout layout>
KOKKOS_INLINE_FUNCTION Element element_of_row(int array, std::int64_t n) {
  if constexpr (layout == Layout::Arrays) return {array, n};
  const int place = static_cast<int>(n / packed_points % coefficient_count);
  return {place < P ? place : place + 1,
          n / (packed_points * coefficient_count) * packed_points + n % packed_points};
}

/// @param of the array of the rows; for packed ones it does not count
template <Layout layout, class Exec>
void fill(const Exec& exec, const Grid& grid, const Filling& filling, int of, float* data) {
  constexpr std::int64_t floats = layout == Layout::Packed ? coefficient_count : 1;  // of a point
  const bool random = filling.seed.has_value();
  const std::uint64_t seed = filling.seed.value_or(0);
  // One team a plane: on the host a thread then touches the planes that it will sweep.
  using Policy = Kokkos::TeamPolicy<Exec>;
  const Policy planes(exec, static_cast<int>(grid.extents[0]), Kokkos::AUTO,
                      Policy::vector_length_max());
  Kokkos::parallel_for(
      "jacobi: initialise", planes, KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const std::int64_t i = team.league_rank();
        Kokkos::parallel_for(
            Kokkos::TeamThreadRange(team, grid.extents[1]), [&](const std::int64_t j) {
              float* const row = data + floats * grid.row(i, j);
              Kokkos::parallel_for(
                  Kokkos::ThreadVectorRange(team, floats * grid.pitch), [&](const std::int64_t n) {
                    const auto [array, k] = element_of_row<layout>(of, n);
                    row[n] = k < grid.extents[2]
                                 ? value_at(filling, random, seed, array, filling.origin[0] + i,
                                            filling.origin[1] + j, filling.origin[2] + k)
                                 : 0.0F;
                  });
            });
      });
  exec.fence("jacobi: initialise");
}

}  // namespace

template <class Exec>
void initialise(const Exec& exec, const Grid& grid, const Filling& filling, ArrayId array,
                float* data) {
  fill<Layout::Arrays>(exec, grid, filling, array, data);
}

template <class Exec>
void initialise_packed(const Exec& exec, const Grid& grid, const Filling& filling, float* data) {
  fill<Layout::Packed>(exec, grid, filling, P, data);
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                   \
  template void initialise(const Exec&, const Grid&, const Filling&, ArrayId, float*); \
  template void initialise_packed(const Exec&, const Grid&, const Filling&, float*);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::jacobi
