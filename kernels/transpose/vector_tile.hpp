// A tile that is read and written 16 bytes at a time: for rows that start at multiples of 16 bytes.
#pragma once

#include "kernels/transpose/access.hpp"
#include "kernels/transpose/tile_move.hpp"

#include <cstdint>

namespace memstencil::transpose {

/// Both matrices start rows at multiples of 16 bytes.
template <class T>
bool rows_start_at_vectors(const Job<T>& job) {
  const auto at_vector = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  return at_vector(job.a) && at_vector(job.b) && job.a_pitch % Vector<T>::size == 0 &&
         job.b_pitch % Vector<T>::size == 0;
}

/// One thread's part: squares of size x size elements, `size` vectors of as many rows of A. They are
/// turned in registers (by naming, at no cost), so that the kept tile is B's: each of its rows is one
/// column of A, in vectors along the rows of A. No bank is hit twice: the eight threads that reach the
/// shared memory at a time write vectors of eight rows that lie `size` apart, and the exclusive or
/// with (row / size) puts these into eight different groups of banks; they read eight neighbours.
template <class T, int Rows, int Columns, int Threads>
struct VectorTile {
  static constexpr int rows = Rows, columns = Columns, threads = Threads, above = 0;
  static constexpr int size = Vector<T>::size;
  static constexpr int down = Rows / size, across = Columns / size;  // the tile in squares
  static constexpr int of_thread = down * across / Threads;
  static constexpr int shared_bytes = Rows * Columns * static_cast<int>(sizeof(T));
  static_assert(down % 8 == 0 && across % 8 == 0 && down * across % Threads == 0);

  struct Values {
    Vector<T> x[of_thread][size];
  };

  Vector<T>* shared;
  int thread;

  MEMSTENCIL_FUNCTION VectorTile(void* memory, int thread_of_team)
      : shared(static_cast<Vector<T>*>(memory)), thread(thread_of_team) {}

  MEMSTENCIL_FUNCTION void read(const Job<T>& job, const Corner& from, Values& values) const {
    const bool whole = is_whole(job, from);
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n) {
      const int square = n * Threads + thread;
      const std::int64_t row = from.row + square / across * size;
      const std::int64_t column = from.column + square % across * size;
      MEMSTENCIL_UNROLL
      for (int r = 0; r < size; ++r)  // of a vector that the row's end cuts the rest is padding
        values.x[n][r] =
            whole || (row + r < job.rows && column < job.columns)
                ? Once::read(reinterpret_cast<const Vector<T>*>(job.a + (row + r) * job.a_pitch + column))
                : Vector<T>{};
    }
  }

  MEMSTENCIL_FUNCTION void keep(const Values& values) const {
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n) {
      const int square = n * Threads + thread;
      MEMSTENCIL_UNROLL
      for (int c = 0; c < size; ++c) {
        Vector<T> turned;
        MEMSTENCIL_UNROLL
        for (int r = 0; r < size; ++r) turned.x[r] = values.x[n][r].x[c];
        shared[kept_at(square % across * size + c, square / across)] = turned;
      }
    }
  }

  template <Operation operation>
  MEMSTENCIL_FUNCTION void write(const Job<T>& job, const Corner& from) const {
    const bool whole = is_whole(job, from);
    Vector<T> before[of_thread * size];
    if constexpr (operation == Operation::Accumulate) {
      MEMSTENCIL_UNROLL
      for (int n = 0; n < of_thread * size; ++n)
        before[n] = whole || inside(job, from, n) == size ? Once::read(target(job, from, n)) : Vector<T>{};
    }
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread * size; ++n) {
      Vector<T> value = shared[kept_at(column_of(n), vector_of(n))];
      if (whole || inside(job, from, n) == size) {
        if constexpr (operation == Operation::Accumulate) value = sum(value, before[n]);
        Once::write(target(job, from, n), value);
      } else {
        write_part<operation>(target(job, from, n)->x, value, inside(job, from, n));
      }
    }
  }

private:
  // The vectors that a thread writes, the n-th: the column of A, and where along it, in vectors.
  MEMSTENCIL_FUNCTION int column_of(int n) const { return (n * Threads + thread) / down; }
  MEMSTENCIL_FUNCTION int vector_of(int n) const { return (n * Threads + thread) % down; }

  MEMSTENCIL_FUNCTION static int kept_at(int column, int vector) {
    return column * down + (vector ^ (column / size % 8));
  }
  MEMSTENCIL_FUNCTION static bool is_whole(const Job<T>& job, const Corner& from) {
    return from.row + Rows <= job.rows && from.column + Columns <= job.columns;
  }
  MEMSTENCIL_FUNCTION Vector<T>* target(const Job<T>& job, const Corner& from, int n) const {
    return reinterpret_cast<Vector<T>*>(job.b + (from.column + column_of(n)) * job.b_pitch + from.row) +
           vector_of(n);
  }
  /// Elements of the n-th vector that lie in B.
  MEMSTENCIL_FUNCTION int inside(const Job<T>& job, const Corner& from, int n) const {
    const std::int64_t left = job.rows - from.row - vector_of(n) * size;
    if (from.column + column_of(n) >= job.columns || left <= 0) return 0;
    return left < size ? static_cast<int>(left) : size;
  }
  template <Operation operation>
  MEMSTENCIL_FUNCTION static void write_part(T* to, const Vector<T>& value, int count) {
    MEMSTENCIL_UNROLL
    for (int n = 0; n < size; ++n)
      if (n < count) to[n] = operation == Operation::Accumulate ? to[n] + value.x[n] : value.x[n];
  }
};

}  // namespace memstencil::transpose
