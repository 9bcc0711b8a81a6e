// Copying boxes of points out of an array of a grid and back, for halos.
#include "kernels/grid/packing.hpp"

#include "kernels/packed_rows.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil {

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
  for_each_point(exec, "grid: pack", grid, box, Out{data, packed});
}

template <class Exec>
void unpack(const Exec& exec, const Grid& grid, const Box& box, const float* packed, float* data) {
  for_each_point(exec, "grid: unpack", grid, box, In{packed, data});
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                              \
  template void pack(const Exec&, const Grid&, const Box&, const float*, float*); \
  template void unpack(const Exec&, const Grid&, const Box&, const float*, float*);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil
