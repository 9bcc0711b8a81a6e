// A square tile that is read and written element by element: for any pitch and alignment.
#pragma once

#include "kernels/portable.hpp"
#include "kernels/transpose/tile_move.hpp"

namespace memstencil::transpose {

/// Access by the caches' usual rules.
struct Usual {
  template <class Value>
  MEMSTENCIL_FUNCTION static Value read(const Value* from) {
    return *from;
  }
  template <class Value>
  MEMSTENCIL_FUNCTION static void write(Value* to, const Value& value) {
    *to = value;
  }
};

/// On a GPU first to leave the caches, reads as well as writes: worth 2 to 3 % of a copy on an
/// H100, and reads alone cost as much (docs/lab/transpose.md).
struct Once {
  template <class Value>
  MEMSTENCIL_FUNCTION static Value read(const Value* from) {
    return read_once(*from);
  }
  template <class Value>
  MEMSTENCIL_FUNCTION static void write(Value* to, const Value& value) {
    write_once(*to, value);
  }
};

/// One thread's part. Neighbouring threads read neighbours of a row of A, and write neighbours of a
/// row of B: both in whole sectors. In between a warp reads a column of the kept tile, which
/// without padding lies in one bank.
template <class T, int Side, int Padding, int Threads, class Access>
struct ElementTile {
  static constexpr int rows = Side, columns = Side, threads = Threads;
  static constexpr int of_thread = Side * Side / Threads;
  static constexpr int shared_bytes = Side * (Side + Padding) * static_cast<int>(sizeof(T));
  static constexpr int step = Threads / Side;  ///< rows from one element of a thread to its next
  static_assert(Threads % Side == 0 && Side % step == 0);

  struct Values {
    T x[of_thread];
  };

  T* shared;
  int fast, slow;  ///< the thread's first element: along the rows in memory, and across them

  MEMSTENCIL_FUNCTION ElementTile(void* memory, int thread)
      : shared(static_cast<T*>(memory)), fast(thread % Side), slow(thread / Side) {}

  MEMSTENCIL_FUNCTION void read(const Job<T>& job, const Corner& from, Values& values) const {
    const T* const first = job.a + (from.row + slow) * job.a_pitch + from.column + fast;
    const int inside = elements_inside(job.rows - from.row, job.columns - from.column);
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n)
      values.x[n] = n < inside ? Access::read(first + n * step * job.a_pitch) : T{};
  }

  MEMSTENCIL_FUNCTION void keep(const Values& values) const {
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n)
      shared[(slow + n * step) * (Side + Padding) + fast] = values.x[n];
  }

  MEMSTENCIL_FUNCTION void write(const Job<T>& job, const Corner& from) const {
    T* const first = job.b + (from.column + slow) * job.b_pitch + from.row + fast;
    const int inside = elements_inside(job.columns - from.column, job.rows - from.row);
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n)
      if (n < inside)
        Access::write(first + n * step * job.b_pitch,
                      shared[fast * (Side + Padding) + slow + n * step]);
  }

private:
  /// Number of the thread's elements, from its first on, that lie inside the matrix. It has
  /// `rows_left` rows and `columns_left` columns from the tile's corner on.
  MEMSTENCIL_FUNCTION int elements_inside(std::int64_t rows_left, std::int64_t columns_left) const {
    if (fast >= columns_left) return 0;
    return rows_left >= Side ? of_thread : (static_cast<int>(rows_left) - slow + step - 1) / step;
  }
};

}  // namespace memstencil::transpose
