// Boxes of points: copied out of an array and back, and made NaN, hashed, compared or subtracted by
// checks.
#include "kernels/grid/boxes.hpp"

#include "kernels/on_host.hpp"
#include "kernels/packed_rows.hpp"
#include "kernels/random.hpp"

#include <Kokkos_Core.hpp>

#include <limits>

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

// Named, for the launches of messages: a lambda for both sides in another one, as nvcc has it,
// allocates memory at every copy.
template <class Value, bool out>
struct Copied {
  const Value* from;
  Value* to;
  KOKKOS_FUNCTION void operator()(std::size_t array, std::size_t packed) const {
    to[out ? packed : array] = from[out ? array : packed];
  }
};

constexpr std::uint64_t no_number = std::numeric_limits<std::uint64_t>::max();

template <class Value>
struct Filled {
  Value* to;
  Value value;
  KOKKOS_FUNCTION void operator()(std::size_t array, std::size_t) const { to[array] = value; }
};

KOKKOS_INLINE_FUNCTION std::uint64_t bits_of(float value) {
  return Kokkos::bit_cast<std::uint32_t>(value);
}
KOKKOS_INLINE_FUNCTION std::uint64_t bits_of(double value) {
  return Kokkos::bit_cast<std::uint64_t>(value);
}

template <class Value>
struct HashOfOne {
  const Value* data;
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t array, std::int64_t number) const {
    return splitmix64(splitmix64(static_cast<std::uint64_t>(number)) ^ bits_of(data[array]));
  }
};

template <class Value>
struct NumberOfDifferent {
  const Value *a, *b;
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t array, std::int64_t number) const {
    return bits_of(a[array]) != bits_of(b[array]) ? static_cast<std::uint64_t>(number) : no_number;
  }
};

/// Square of the change, or of the part that may be rounding: the product is rounded, and the sum.
template <class Value>
struct SquareOfChange {
  const Value *before, *after;
  double step;
  bool rounding;
  KOKKOS_FUNCTION double operator()(std::size_t n, std::int64_t) const {
    const auto b = static_cast<double>(before[n]), a = static_cast<double>(after[n]);
    constexpr double half_digit = 0.5 * Kokkos::Experimental::epsilon_v<Value>;
    const double change = rounding ? half_digit * (2 * Kokkos::abs(a) + Kokkos::abs(b)) : a - b;
    return change * change / (step * step);
  }
};

/// Term(offset in the array, number in the box) of all points of a box, joined by Reducer.
template <class Reducer, class Term>
struct JoinedRow {
  Grid grid;
  Box box;
  Term term;
  std::int64_t joined;  ///< points that one call joins: a row, or one
  KOKKOS_FUNCTION void operator()(const std::int64_t call,
                                  typename Reducer::value_type& so_far) const {
    const std::int64_t nj = box.hi[1] - box.lo[1], nk = box.hi[2] - box.lo[2];
    const std::int64_t first = call * joined, row = first / nk, k = first % nk;
    const std::size_t array = grid.row(box.lo[0] + row / nj, box.lo[1] + row % nj) +
                              static_cast<std::size_t>(box.lo[2] + k);
    const Reducer reducer(so_far);
    for (std::int64_t n = 0; n < joined; ++n)
      reducer.join(so_far, term(array + static_cast<std::size_t>(n), first + n));
  }
};

/// A thread of a host joins whole rows. Of a device neighbouring threads have neighbouring points.
template <class Reducer, class Exec, class Term>
auto joined(const Exec& exec, const char* label, const Grid& grid, const Box& box,
            const Term& term) {
  const std::int64_t each = on_host<Exec> ? box.hi[2] - box.lo[2] : 1;
  typename Reducer::value_type result{};
  Kokkos::parallel_reduce(
      label,
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, box.points() / each),
      JoinedRow<Reducer, Term>{grid, box, term, each}, Reducer(result));
  exec.fence(label);
  return result;
}

}  // namespace

template <class Exec, class Value>
void pack(const Exec& exec, const Grid& grid, const Box& box, const Value* data, Value* packed) {
  for_each_point(exec, "grid: pack", grid, box, Copied<Value, true>{data, packed});
}

template <class Exec, class Value>
void unpack(const Exec& exec, const Grid& grid, const Box& box, const Value* packed, Value* data) {
  for_each_point(exec, "grid: unpack", grid, box, Copied<Value, false>{packed, data});
}

template <class Exec, class Value>
void spoil(const Exec& exec, const Grid& grid, const Box& box, Value* p) {
  for_each_point(exec, "grid: spoil", grid, box,
                 Filled<Value>{p, std::numeric_limits<Value>::quiet_NaN()});
  exec.fence("grid: spoil");
}

template <class Exec, class Value>
std::uint64_t hash(const Exec& exec, const Grid& grid, const Box& box, const Value* data) {
  if (box.empty()) return 0;
  return joined<Kokkos::Sum<std::uint64_t>>(exec, "grid: hash", grid, box, HashOfOne<Value>{data});
}

template <class Exec, class Value>
std::optional<std::int64_t> first_difference(const Exec& exec, const Grid& grid, const Box& box,
                                             const Value* a, const Value* b) {
  if (box.empty()) return std::nullopt;
  const std::uint64_t first = joined<Kokkos::Min<std::uint64_t>>(exec, "grid: compare", grid, box,
                                                                 NumberOfDifferent<Value>{a, b});
  if (first == no_number) return std::nullopt;
  return static_cast<std::int64_t>(first);
}

template <class Exec, class Value>
Change change(const Exec& exec, const Grid& grid, const Box& box, const Value* before,
              const Value* after, Value step) {
  if (box.empty()) return {0, 0};
  const auto sum = [&](bool rounding) {
    return joined<Kokkos::Sum<double>>(exec, "grid: change", grid, box,
                                       SquareOfChange<Value>{before, after, step, rounding});
  };
  return {sum(false), sum(true)};
}

#define MEMSTENCIL_INSTANTIATE_OF(Exec, Value)                                                \
  template void pack(const Exec&, const Grid&, const Box&, const Value*, Value*);             \
  template void unpack(const Exec&, const Grid&, const Box&, const Value*, Value*);           \
  template void spoil(const Exec&, const Grid&, const Box&, Value*);                          \
  template std::uint64_t hash(const Exec&, const Grid&, const Box&, const Value*);            \
  template std::optional<std::int64_t> first_difference(const Exec&, const Grid&, const Box&, \
                                                        const Value*, const Value*);          \
  template Change change(const Exec&, const Grid&, const Box&, const Value*, const Value*, Value);
#define MEMSTENCIL_INSTANTIATE(Exec)     \
  MEMSTENCIL_INSTANTIATE_OF(Exec, float) \
  MEMSTENCIL_INSTANTIATE_OF(Exec, double)
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE
#undef MEMSTENCIL_INSTANTIATE_OF

}  // namespace memstencil
