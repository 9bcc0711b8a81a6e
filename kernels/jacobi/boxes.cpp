// Copying boxes of points out of the arrays and back: halos, and samples for verification.
#include "kernels/jacobi/boxes.hpp"

#include "kernels/packed_rows.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil::jacobi {

namespace {

/// Calls body(offset in the array, offset in the packed box) for every point of the box.
template <class Exec, class Body>
void for_each_point(const Exec& exec, const char* label, const Grid& grid, const Box& box,
                    const Body& body) {
  if (box.empty()) return;
  const std::int64_t nj = box.hi[1] - box.lo[1];
  const std::int64_t nk = box.hi[2] - box.lo[2];
  for_each_packed(
      exec, label, (box.hi[0] - box.lo[0]) * nj, nk,
      KOKKOS_LAMBDA(const std::int64_t row, const std::int64_t k) {
        const std::size_t array = grid.row(box.lo[0] + row / nj, box.lo[1] + row % nj) +
                                  static_cast<std::size_t>(box.lo[2] + k);
        body(array, static_cast<std::size_t>(row * nk + k));
      });
}

struct Out {
  const float* from;
  float* to;
  KOKKOS_FUNCTION void operator()(std::size_t array, std::size_t packed) const {
    to[packed] = from[array];
  }
};

struct In {
  const float* from;
  float* to;
  KOKKOS_FUNCTION void operator()(std::size_t array, std::size_t packed) const {
    to[array] = from[packed];
  }
};

}  // namespace

template <class Exec>
void pack(const Exec& exec, const Grid& grid, const Box& box, const float* data, float* packed) {
  for_each_point(exec, "jacobi: pack halo", grid, box, Out{data, packed});
}

template <class Exec>
void unpack(const Exec& exec, const Grid& grid, const Box& box, const float* packed, float* data) {
  for_each_point(exec, "jacobi: unpack halo", grid, box, In{packed, data});
}

template <class Exec>
void gather(const Exec& exec, const Grid& grid, const Coefficients& coefficients, const float* p,
            const float* result, const std::int64_t* centres, int count, int radius, float* cubes,
            float* results) {
  const int side = 2 * radius + 1;
  const std::int64_t cube = static_cast<std::int64_t>(side) * side * side;
  const Layout layout = coefficients.layout;
  const ArrayList arrays = array_list(coefficients, p);
  Kokkos::Array<const float*, array_count> from;
  for (std::size_t a = 0; a < array_count; ++a) from[a] = arrays[a];
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
          const std::size_t place = a == P ? point : coefficient_offset(layout, point);
          cubes[(n * array_count + a) * cube + offset] =
              inside ? from[static_cast<std::size_t>(a)][place] : 0.0F;
        }
        if (offset == cube / 2) results[n] = result[point];
      });
  exec.fence("jacobi: gather samples");
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                              \
  template void pack(const Exec&, const Grid&, const Box&, const float*, float*);                 \
  template void unpack(const Exec&, const Grid&, const Box&, const float*, float*);               \
  template void gather(const Exec&, const Grid&, const Coefficients&, const float*, const float*, \
                       const std::int64_t*, int, int, float*, float*);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::jacobi
