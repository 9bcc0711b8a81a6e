// Samples of all arrays around some points, for verification.
#include "kernels/jacobi/samples.hpp"

#include "kernels/portable.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil::jacobi {

template <class Exec>
void gather(const Exec& exec, const Grid& grid, const Coefficients& coefficients, const float* p,
            const float* result, const std::int64_t* centres, int count, int radius, float* cubes,
            float* results) {
  const int side = 2 * radius + 1;
  const std::int64_t cube = static_cast<std::int64_t>(side) * side * side;
  const Layout layout = coefficients.layout;
  Kokkos::parallel_for(
      "jacobi: gather samples",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, count * cube),
      KOKKOS_LAMBDA(const std::int64_t at) {
        const std::int64_t n = at / cube;
        const std::int64_t offset = at % cube;
        const std::int64_t i = centres[3 * n] + offset / (side * side) - radius;
        const std::int64_t j = centres[3 * n + 1] + offset / side % side - radius;
        const std::int64_t k = centres[3 * n + 2] + offset % side - radius;
        const bool inside = i >= 0 && i < grid.extents[0] && j >= 0 && j < grid.extents[1] &&
                            k >= 0 && k < grid.extents[2];
        const std::size_t point = inside ? grid.row(i, j) + static_cast<std::size_t>(k) : 0;
        for (int a = 0; a < array_count; ++a) {
          const float* const from = a == P ? p : coefficients.arrays[a < P ? a : a - 1];
          const std::size_t place = a == P ? point : coefficient_offset(layout, point);
          cubes[(n * array_count + a) * cube + offset] = inside ? from[place] : 0.0F;
        }
        if (offset == cube / 2) results[n] = result[point];
      });
  exec.fence("jacobi: gather samples");
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                              \
  template void gather(const Exec&, const Grid&, const Coefficients&, const float*, const float*, \
                       const std::int64_t*, int, int, float*, float*);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::jacobi
