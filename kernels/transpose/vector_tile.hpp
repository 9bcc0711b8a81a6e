// A tile that is read and written 16 bytes at a time: for rows that start at multiples of 16 bytes.
#pragma once

#include "kernels/transpose/access.hpp"
#include "kernels/transpose/tile_move.hpp"

#include <cstdint>

namespace memstencil::transpose {

/// Both matrices start rows at multiples of 16 bytes.
template <class T>
bool rows_start_at_vectors(const Job<T>& job) {
  return starts_at_vector(job.a) && starts_at_vector(job.b) && job.a_pitch % Vector<T>::size == 0 &&
         job.b_pitch % Vector<T>::size == 0;
}

/// One thread's part: squares of size x size elements, `size` vectors of as many rows of A. They
/// are transposed in registers (by naming, at no cost), so that the kept tile is B's: each of its
/// rows is one column of A, in vectors along the rows of A. No bank is hit twice: the eight
/// threads that reach the shared memory at a time write vectors of eight rows that lie `size`
/// apart, and the exclusive or with (row / size) puts these into eight different groups of banks;
/// they read eight neighbours.
template <class T, int Rows, int Columns, int Threads>
struct VectorTile {
  static constexpr int rows = Rows, columns = Columns, threads = Threads, above = 0;
  static constexpr int size = Vector<T>::size;
  static constexpr int down = Rows / size, across = Columns / size;  // the tile in squares
  static constexpr int of_thread = down * across / Threads;
  static constexpr int shared_bytes = Rows * Columns * static_cast<int>(sizeof(T));
  /// Rows of squares, and columns of A, from one read and one write of a thread to its next.
  static constexpr int read_step = Threads / across, write_step = Threads / down;
  static_assert(down % 8 == 0 && across % 8 == 0 && Threads % across == 0 && Threads % down == 0 &&
                down * across % Threads == 0);

  struct Values {
    Vector<T> x[of_thread][size];
  };

  Vector<T>* shared;
  int thread;

  MEMSTENCIL_FUNCTION VectorTile(void* memory, int thread_of_team)
      : shared(static_cast<Vector<T>*>(memory)), thread(thread_of_team) {}

  MEMSTENCIL_FUNCTION void read(const Job<T>& job, const Corner& from, Values& values) const {
    const std::int64_t row = from.row + thread / across * size;
    const std::int64_t column = from.column + thread % across * size;
    const T* const first = job.a + row * job.a_pitch + column;
    // A vector that the row's end cuts has padding behind it.
    const int rows_inside = column < job.columns ? at_most(job.rows - row, Rows) : 0;
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n) {
      MEMSTENCIL_UNROLL
      for (int r = 0; r < size; ++r) {
        const int below = n * read_step * size + r;
        values.x[n][r] =
            below < rows_inside
                ? Once::read(reinterpret_cast<const Vector<T>*>(first + below * job.a_pitch))
                : Vector<T>{};
      }
    }
  }

  MEMSTENCIL_FUNCTION void keep(const Values& values) const {
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n) {
      MEMSTENCIL_UNROLL
      for (int c = 0; c < size; ++c) {
        Vector<T> transposed;
        MEMSTENCIL_UNROLL
        for (int r = 0; r < size; ++r) transposed.x[r] = values.x[n][r].x[c];
        shared[kept_at(thread % across * size + c, thread / across + n * read_step)] = transposed;
      }
    }
  }

  MEMSTENCIL_FUNCTION void write(const Job<T>& job, const Corner& from) const {
    const int column = thread / down;
    const int vector = thread % down;
    T* const first = job.b + (from.column + column) * job.b_pitch + from.row + vector * size;
    const int columns_inside = at_most(job.columns - from.column - column, Columns);
    const int elements = at_most(job.rows - from.row - vector * size, size);
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread * size; ++n) {
      if (n * write_step >= columns_inside) break;
      T* const to = first + n * write_step * job.b_pitch;
      const Vector<T> value = shared[kept_at(column + n * write_step, vector)];
      if (elements == size)
        Once::write(reinterpret_cast<Vector<T>*>(to), value);
      else
        write_part(to, value, elements);
    }
  }

private:
  MEMSTENCIL_FUNCTION static int kept_at(int column, int vector) {
    return column * down + (vector ^ (column / size % 8));
  }
  /// The rest of a matrix, where that is less than `most`; it may be negative.
  MEMSTENCIL_FUNCTION static int at_most(std::int64_t left, int most) {
    return left < most ? static_cast<int>(left) : most;
  }
  MEMSTENCIL_FUNCTION static void write_part(T* to, const Vector<T>& value, int count) {
    MEMSTENCIL_UNROLL
    for (int n = 0; n < size; ++n)
      if (n < count) to[n] = value.x[n];
  }
};

}  // namespace memstencil::transpose
