// A square tile that is read and written element by element: for any pitch and alignment.
#pragma once

#include "kernels/transpose/access.hpp"
#include "kernels/transpose/tile_move.hpp"

namespace memstencil::transpose {

/// One thread's part. Neighbouring threads read neighbours of a row of A, and write neighbours of a
/// row of B: both in whole sectors. In between a warp reads a column of the kept tile, which without
/// padding lies in one bank.
template <class T, int Side, int Padding, int Threads, class Access>
struct ElementTile {
  static constexpr int rows = Side, columns = Side, threads = Threads, above = 0;
  static constexpr int of_thread = Side * Side / Threads;
  static constexpr int shared_bytes = Side * (Side + Padding) * static_cast<int>(sizeof(T));
  static_assert(Side * Side % Threads == 0);

  struct Values {
    T x[of_thread];
  };

  T* shared;
  int thread;

  MEMSTENCIL_FUNCTION ElementTile(void* memory, int thread_of_team)
      : shared(static_cast<T*>(memory)), thread(thread_of_team) {}

  MEMSTENCIL_FUNCTION void read(const Job<T>& job, const Corner& from, Values& values) const {
    const bool whole = from.row + Side <= job.rows && from.column + Side <= job.columns;
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n) {
      const std::int64_t row = from.row + slow(n);
      const std::int64_t column = from.column + fast(n);
      const bool inside = whole || (row < job.rows && column < job.columns);
      values.x[n] = inside ? Access::read(job.a + row * job.a_pitch + column) : T{};
    }
  }

  MEMSTENCIL_FUNCTION void keep(const Values& values) const {
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n) shared[slow(n) * (Side + Padding) + fast(n)] = values.x[n];
  }

  template <Operation operation>
  MEMSTENCIL_FUNCTION void write(const Job<T>& job, const Corner& from) const {
    const bool whole = from.row + Side <= job.rows && from.column + Side <= job.columns;
    Values before;
    if constexpr (operation == Operation::Accumulate) {
      MEMSTENCIL_UNROLL
      for (int n = 0; n < of_thread; ++n)
        before.x[n] = whole || in_matrix(job, from, n) ? Access::read(target(job, from, n)) : T{};
    }
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n) {
      T value = shared[fast(n) * (Side + Padding) + slow(n)];
      if constexpr (operation == Operation::Accumulate) value += before.x[n];
      if (whole || in_matrix(job, from, n)) Access::write(target(job, from, n), value);
    }
  }

private:
  // The thread's n-th element: its index along the rows in memory, and across them.
  MEMSTENCIL_FUNCTION int fast(int n) const { return (n * Threads + thread) % Side; }
  MEMSTENCIL_FUNCTION int slow(int n) const { return (n * Threads + thread) / Side; }

  MEMSTENCIL_FUNCTION T* target(const Job<T>& job, const Corner& from, int n) const {
    return job.b + (from.column + slow(n)) * job.b_pitch + from.row + fast(n);
  }
  MEMSTENCIL_FUNCTION bool in_matrix(const Job<T>& job, const Corner& from, int n) const {
    return from.column + slow(n) < job.columns && from.row + fast(n) < job.rows;
  }
};

}  // namespace memstencil::transpose
