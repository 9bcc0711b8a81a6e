// Boxes of points: copied out of the arrays and back, and made NaN, hashed or compared by checks.
#include "kernels/jacobi/boxes.hpp"

#include "kernels/on_host.hpp"
#include "kernels/packed_rows.hpp"
#include "kernels/random.hpp"

#include <Kokkos_Core.hpp>

#include <limits>

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

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint64_t no_number = std::numeric_limits<std::uint64_t>::max();

struct NotANumber {
  float* p;
  KOKKOS_FUNCTION void operator()(std::size_t array, std::size_t) const { p[array] = not_a_number; }
};

KOKKOS_INLINE_FUNCTION std::uint64_t bits_of(float value) {
  return Kokkos::bit_cast<std::uint32_t>(value);
}

struct HashOfOne {
  const float* data;
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t array, std::int64_t number) const {
    return splitmix64(splitmix64(static_cast<std::uint64_t>(number)) ^ bits_of(data[array]));
  }
};

struct NumberOfDifferent {
  const float *a, *b;
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t array, std::int64_t number) const {
    return bits_of(a[array]) != bits_of(b[array]) ? static_cast<std::uint64_t>(number) : no_number;
  }
};

/// Value(offset in the array, number in the box) of all points of a box, joined by Reducer.
template <class Reducer, class Value>
struct JoinedRow {
  Grid grid;
  Box box;
  Value value;
  std::int64_t joined;  ///< points that one call joins: a row, or one
  KOKKOS_FUNCTION void operator()(const std::int64_t call, std::uint64_t& so_far) const {
    const std::int64_t nj = box.hi[1] - box.lo[1], nk = box.hi[2] - box.lo[2];
    const std::int64_t first = call * joined, row = first / nk, k = first % nk;
    const std::size_t array = grid.row(box.lo[0] + row / nj, box.lo[1] + row % nj) +
                              static_cast<std::size_t>(box.lo[2] + k);
    const Reducer reducer(so_far);
    for (std::int64_t n = 0; n < joined; ++n)
      reducer.join(so_far, value(array + static_cast<std::size_t>(n), first + n));
  }
};

/// A thread of a host joins whole rows. Of a device neighbouring threads have neighbouring points.
template <class Reducer, class Exec, class Value>
std::uint64_t joined(const Exec& exec, const char* label, const Grid& grid, const Box& box,
                     const Value& value) {
  const std::int64_t each = on_host<Exec> ? box.hi[2] - box.lo[2] : 1;
  std::uint64_t result = 0;
  Kokkos::parallel_reduce(
      label,
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, box.points() / each),
      JoinedRow<Reducer, Value>{grid, box, value, each}, Reducer(result));
  exec.fence(label);
  return result;
}

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
void spoil(const Exec& exec, const Grid& grid, const Box& box, float* p) {
  for_each_point(exec, "jacobi: spoil", grid, box, NotANumber{p});
  exec.fence("jacobi: spoil");
}

template <class Exec>
std::uint64_t hash(const Exec& exec, const Grid& grid, const Box& box, const float* data) {
  if (box.empty()) return 0;
  return joined<Kokkos::Sum<std::uint64_t>>(exec, "jacobi: hash", grid, box, HashOfOne{data});
}

template <class Exec>
std::optional<std::int64_t> first_difference(const Exec& exec, const Grid& grid, const Box& box,
                                             const float* a, const float* b) {
  if (box.empty()) return std::nullopt;
  const std::uint64_t first = joined<Kokkos::Min<std::uint64_t>>(exec, "jacobi: compare", grid, box,
                                                                 NumberOfDifferent{a, b});
  if (first == no_number) return std::nullopt;
  return static_cast<std::int64_t>(first);
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
  template void spoil(const Exec&, const Grid&, const Box&, float*);                              \
  template std::uint64_t hash(const Exec&, const Grid&, const Box&, const float*);                \
  template std::optional<std::int64_t> first_difference(const Exec&, const Grid&, const Box&,     \
                                                        const float*, const float*);              \
  template void gather(const Exec&, const Grid&, const Coefficients&, const float*, const float*, \
                       const std::int64_t*, int, int, float*, float*);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::jacobi
