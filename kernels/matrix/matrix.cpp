// Blocks of matrices: filled with values that their global indices give,
// checked against these, packed.
#include "kernels/matrix/matrix.hpp"

#include "kernels/packed_rows.hpp"
#include "kernels/portable.hpp"
#include "kernels/regions.hpp"

#include <Kokkos_Core.hpp>

#include <limits>

namespace memstencil::matrix {

template <class Exec, class T>
void fill(const Exec& exec, const Block& block, Content content, T* data) {
  for_each_in_regions<T>(
      exec, "matrix: fill", block.rows * block.pitch, KOKKOS_LAMBDA(const std::int64_t n) {
        const std::int64_t column = n % block.pitch;
        data[n] = column < block.columns ? value<T>(block, content, n / block.pitch, column) : T{0};
      });
  exec.fence("matrix: fill");
}

template <class Exec, class T>
Wrong check(const Exec& exec, const Block& block, Content content, const T* data) {
  std::int64_t count = 0;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  Kokkos::parallel_reduce(
      "matrix: check",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0,
                                                                 block.rows * block.columns),
      KOKKOS_LAMBDA(const std::int64_t n, std::int64_t& wrong, std::int64_t& lowest) {
        const std::int64_t row = n / block.columns;
        const std::int64_t column = n - row * block.columns;
        if (data[row * block.pitch + column] == value<T>(block, content, row, column)) return;
        ++wrong;
        if (n < lowest) lowest = n;
      },
      Kokkos::Sum<std::int64_t>(count), Kokkos::Min<std::int64_t>(first));
  exec.fence("matrix: check");
  if (count == 0) return {0, 0, 0};
  return {count, first / block.columns, first % block.columns};
}

/// Pitch and columns in units.
template <class Exec, class Unit>
void pack_units(const Exec& exec, const Unit* from, std::int64_t pitch, std::int64_t rows,
                std::int64_t columns, Unit* packed) {
  for_each_packed(
      exec, "matrix: pack", rows, columns,
      KOKKOS_LAMBDA(const std::int64_t i, const std::int64_t j) {
        packed[i * columns + j] = from[i * pitch + j];
      });
}

template <class Exec, class T>
void pack(const Exec& exec, const T* from, std::int64_t pitch, std::int64_t rows,
          std::int64_t columns, T* packed) {
  constexpr std::int64_t size = Vector<T>::size;
  if (starts_at_vector(from) && starts_at_vector(packed) && pitch % size == 0 &&
      columns % size == 0)
    pack_units(exec, reinterpret_cast<const Vector<T>*>(from), pitch / size, rows, columns / size,
               reinterpret_cast<Vector<T>*>(packed));
  else
    pack_units(exec, from, pitch, rows, columns, packed);
}

#define MEMSTENCIL_INSTANTIATE_FOR(Exec, T)                           \
  template void fill(const Exec&, const Block&, Content, T*);         \
  template Wrong check(const Exec&, const Block&, Content, const T*); \
  template void pack(const Exec&, const T*, std::int64_t, std::int64_t, std::int64_t, T*);
#define MEMSTENCIL_INSTANTIATE(Exec)      \
  MEMSTENCIL_INSTANTIATE_FOR(Exec, float) \
  MEMSTENCIL_INSTANTIATE_FOR(Exec, double)
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE
#undef MEMSTENCIL_INSTANTIATE_FOR

}  // namespace memstencil::matrix
