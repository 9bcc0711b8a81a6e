// Blocks of matrices: filled with values that their global indices give,
// checked against these, packed.
#include "kernels/matrix/matrix.hpp"

#include "kernels/packed_rows.hpp"
#include "kernels/portable.hpp"
#include "kernels/random.hpp"
#include "kernels/regions.hpp"

#include <Kokkos_Core.hpp>

#include <limits>
#include <type_traits>

namespace memstencil::matrix {

namespace {

constexpr std::uint64_t seed = 1;

/// Exact: a multiple of 2^-24, or 2^-53, less a half.
template <class T>
MEMSTENCIL_FUNCTION T random_value(std::int64_t n) {
  const std::uint64_t h = element_hash(seed, 0, static_cast<std::uint64_t>(n));
  if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(h >> 40) * 0x1p-24F - 0.5F;
  else
    return static_cast<double>(h >> 11) * 0x1p-53 - 0.5;
}

template <class T>
MEMSTENCIL_FUNCTION T value_at(const Block& block, Content content, std::int64_t row,
                               std::int64_t column) {
  const std::int64_t i = block.first_row + row;
  const std::int64_t j = block.first_column + column;
  return random_value<T>(content == Content::A ? i * block.global_columns + j
                                               : j * block.global_rows + i);
}

template <class Exec>
using Elements = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

}  // namespace

template <class T>
T value(const Block& block, Content content, std::int64_t row, std::int64_t column) {
  return value_at<T>(block, content, row, column);
}

template <class Exec, class T>
void fill(const Exec& exec, const Block& block, Content content, T* data) {
  for_each_in_regions<T>(
      exec, "matrix: fill", block.rows * block.pitch, KOKKOS_LAMBDA(const std::int64_t n) {
        const std::int64_t column = n % block.pitch;
        data[n] =
            column < block.columns ? value_at<T>(block, content, n / block.pitch, column) : T{0};
      });
  exec.fence("matrix: fill");
}

template <class Exec, class T>
Wrong check(const Exec& exec, const Block& block, Content content, const T* data) {
  std::int64_t count = 0;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  Kokkos::parallel_reduce(
      "matrix: check", Elements<Exec>(exec, 0, block.rows * block.columns),
      KOKKOS_LAMBDA(const std::int64_t n, std::int64_t& wrong, std::int64_t& lowest) {
        const std::int64_t row = n / block.columns;
        const std::int64_t column = n - row * block.columns;
        if (data[row * block.pitch + column] == value_at<T>(block, content, row, column)) return;
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

template float value(const Block&, Content, std::int64_t, std::int64_t);
template double value(const Block&, Content, std::int64_t, std::int64_t);

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
