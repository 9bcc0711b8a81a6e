// The SIMD squares, and the ways in which their lines reach B.
#include "kernels/transpose/host_tiles.hpp"

#include "kernels/host_caches.hpp"
#include "kernels/portable.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace memstencil::transpose {
namespace {

#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

template <class T>
struct RegisterOf {
  typedef T Type __attribute__((vector_size(register_bytes)));
};
template <class T>
using Register = typename RegisterOf<T>::Type;

/// Elements of a register and of a cache line.
template <class T>
constexpr int lanes = register_bytes / static_cast<int>(sizeof(T));
template <class T>
constexpr int line = line_bytes / static_cast<int>(sizeof(T));

/// How many lines ahead the rows of A are prefetched.
constexpr int lines_ahead = 4;

/// From an element of `column` to the one to prefetch: further along its row, and past the part's
/// last column in the part below, which comes next. (Otherwise an eighth of the prefetched lines
/// is not used soon, and each part starts without.)
template <class T>
MEMSTENCIL_FUNCTION std::int64_t prefetch_distance(const Job<T>& job, const Part& part,
                                                   std::int64_t column) {
  constexpr std::int64_t along = lines_ahead * line<T>;
  const std::int64_t columns = part.to_column - part.from_column;
  if (column + along < part.to_column) return along;
  return (part.to_row - part.from_row) * job.a_pitch + along - columns;
}

/// The elements of `a` and `b`, counted on from a to b, that Index names.
template <class T, int... Index>
MEMSTENCIL_FUNCTION Register<T> chosen(Register<T> a, Register<T> b) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, Index...);
#else  // g++ 11
  using Indices = Register<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;
  return __builtin_shuffle(a, b, Indices{Index...});
#endif
}

/// As many rows as lanes. Interleaving row n with row n + lanes/2,
/// log2(lanes) times, is a transpose.
template <class T>
struct Square {
  Register<T> rows[lanes<T>];

  MEMSTENCIL_FUNCTION void load(const T* from, std::int64_t pitch) {
    MEMSTENCIL_UNROLL
    for (int n = 0; n < lanes<T>; ++n) std::memcpy(&rows[n], from + n * pitch, register_bytes);
  }
  MEMSTENCIL_FUNCTION void transpose() { transpose(std::make_integer_sequence<int, lanes<T>>{}); }

private:
  template <int... Lane>
  MEMSTENCIL_FUNCTION void transpose(std::integer_sequence<int, Lane...>) {
    constexpr int half = lanes<T> / 2;
    MEMSTENCIL_UNROLL
    for (int width = 1; width < lanes<T>; width *= 2) {
      Register<T> next[lanes<T>];
      MEMSTENCIL_UNROLL
      for (int n = 0; n < half; ++n) {
        next[2 * n] = chosen<T, (Lane / 2 + Lane % 2 * lanes<T>)...>(rows[n], rows[n + half]);
        next[2 * n + 1] =
            chosen<T, (half + Lane / 2 + Lane % 2 * lanes<T>)...>(rows[n], rows[n + half]);
      }
      MEMSTENCIL_UNROLL
      for (int n = 0; n < lanes<T>; ++n) rows[n] = next[n];
    }
  }
};

/// The result of one cache line of rows of A: `lanes` lines of B, one a column.
template <class T>
struct Strip {
  static constexpr int squares = line<T> / lanes<T>;
  Square<T> square[squares];

  /// @param ahead the distance of the elements to prefetch
  MEMSTENCIL_FUNCTION Strip(const Job<T>& job, std::int64_t row, std::int64_t column,
                            std::int64_t ahead) {
    MEMSTENCIL_UNROLL
    for (int s = 0; s < squares; ++s) {
      const T* const from = job.a + (row + s * lanes<T>)*job.a_pitch + column;
      square[s].load(from, job.a_pitch);
      MEMSTENCIL_UNROLL
      for (int n = 0; n < lanes<T>; ++n) __builtin_prefetch(from + n * job.a_pitch + ahead, 0, 2);
      square[s].transpose();
    }
  }
  /// The line of the n-th column.
  MEMSTENCIL_FUNCTION void copy_line(int n, T* to) const {
    MEMSTENCIL_UNROLL
    for (int s = 0; s < squares; ++s)
      std::memcpy(to + s * lanes<T>, &square[s].rows[n], register_bytes);
  }
};

template <class T>
void move_elements(const Job<T>& job, const Part& part) {
  for (std::int64_t column = part.from_column; column < part.to_column; ++column)
    for (std::int64_t row = part.from_row; row < part.to_row; ++row)
      job.b[column * job.b_pitch + row] = job.a[row * job.a_pitch + column];
}

/// All of `part` in strips, `lanes` columns after the other; strips that the part's
/// end cuts element by element.
/// @param put gets a strip, its row and its column
template <class T, class Put>
void for_each_strip(const Job<T>& job, const Part& part, const Put& put) {
  const std::int64_t rows = (part.to_row - part.from_row) / line<T> * line<T> + part.from_row;
  const std::int64_t columns =
      (part.to_column - part.from_column) / lanes<T> * lanes<T> + part.from_column;
  for (std::int64_t column = part.from_column; column < columns; column += lanes<T>) {
    const std::int64_t ahead = prefetch_distance(job, part, column);
    for (std::int64_t row = part.from_row; row < rows; row += line<T>)
      put(Strip<T>(job, row, column, ahead), row, column);
  }
  move_elements(job, {rows, part.to_row, part.from_column, columns});
  move_elements(job, {part.from_row, part.to_row, columns, part.to_column});
}

/// Past the caches, or into them, whatever B's alignment.
template <Stores stores, class T>
void transpose(const Job<T>& job, const Part& part) {
  for_each_strip(job, part, [&](const Strip<T>& strip, std::int64_t row, std::int64_t column) {
    MEMSTENCIL_UNROLL
    for (int n = 0; n < lanes<T>; ++n) {
      T* const to = job.b + (column + n) * job.b_pitch + row;
      T values[line<T>];
      strip.copy_line(n, stores == Stores::Cached ? to : values);
      if constexpr (stores == Stores::Streaming) stream_line(to, values);
    }
  });
}

}  // namespace

template <class T>
Stores host_stores(const Job<T>& job) {
  const bool exceeds = static_cast<std::size_t>(bytes_moved(job)) > host_caches().last_level;
  return exceeds ? Stores::Streaming : Stores::Cached;
}

template <class T>
bool rows_start_at_lines(const Job<T>& job) {
  return starts_line(job.b) && job.b_pitch % line<T> == 0;
}

template <class T>
void host_transpose(const Job<T>& job, const Part& part, Stores stores) {
  if (stores == Stores::Cached) {
    transpose<Stores::Cached>(job, part);
  } else {
    transpose<Stores::Streaming>(job, part);
    finish_streaming();
  }
}

template <class T>
void host_copy_row(const Job<T>& job, std::int64_t row, Stores stores) {
  const T* const from = job.a + row * job.a_pitch;
  T* const to = job.b + row * job.a_pitch;
  if (stores == Stores::Cached) {
    std::memmove(to, from, static_cast<std::size_t>(job.columns) * sizeof(T));
  } else {
    stream_elements(to, from, job.columns);
    finish_streaming();
  }
}

#define MEMSTENCIL_INSTANTIATE(T)                                   \
  template Stores host_stores(const Job<T>&);                       \
  template bool rows_start_at_lines(const Job<T>&);                 \
  template void host_transpose(const Job<T>&, const Part&, Stores); \
  template void host_copy_row(const Job<T>&, std::int64_t, Stores);
MEMSTENCIL_INSTANTIATE(float)
MEMSTENCIL_INSTANTIATE(double)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::transpose
