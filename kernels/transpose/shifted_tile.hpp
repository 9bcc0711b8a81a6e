// A tile for rows that start anywhere: it moves along B until it writes whole
// sectors, 16 bytes at a time.
#pragma once

#include "kernels/transpose/access.hpp"
#include "kernels/transpose/tile_move.hpp"

#include <cstdint>

#if defined(__CUDACC__)
#include <cuda_pipeline.h>
#endif

namespace memstencil::transpose {

/// One thread's part. Of each row of B the tile writes `Side` elements from the start of the sector
/// (32 bytes) on in which its own first element lies; so it reads up to a sector of rows above its
/// own, which differ from column to column. Sectors that two blocks write by halves cost a fifth of
/// the bandwidth on an H100 (docs/lab/transpose.md).
template <class T, int Side, int Threads>
struct ShiftedTile {
  static constexpr int rows = Side, columns = Side, threads = Threads;
  static constexpr int size = Vector<T>::size;
  static constexpr int sector = 32 / static_cast<int>(sizeof(T));
  static constexpr int above = sector - 1;  ///< rows that it may read above its own
  static constexpr int kept_rows = Side + above, kept_pitch = Side + 1;
  static constexpr int shared_bytes = kept_rows * kept_pitch * static_cast<int>(sizeof(T));
  static constexpr int vectors = Side / size;  ///< of a row of B
  /// Rows, and columns of A, from one read and one write of a thread to its next.
  static constexpr int read_step = Threads / Side, write_step = Threads / vectors;
  static_assert(Side % sector == 0 && Threads % Side == 0 && Side % write_step == 0);

  /// Rows of A go to the shared memory without a stay in registers.
  struct Values {};

  T* shared;
  int thread;

  MEMSTENCIL_FUNCTION ShiftedTile(void* memory, int thread_of_team)
      : shared(static_cast<T*>(memory)), thread(thread_of_team) {}

  MEMSTENCIL_FUNCTION void read(const Job<T>& job, const Corner& from, Values&) const {
    const int across = thread % Side;
    if (from.column + across >= job.columns) return;
    MEMSTENCIL_UNROLL
    for (int n = 0; n < (kept_rows + read_step - 1) / read_step; ++n) {
      const int kept = thread / Side + n * read_step;
      const std::int64_t row = from.row - above + kept;
      if (kept < kept_rows && row >= 0 && row < job.rows)
        start_copy(shared + kept * kept_pitch + across,
                   job.a + row * job.a_pitch + from.column + across);
    }
  }

  MEMSTENCIL_FUNCTION void keep(const Values&) const {
#if defined(__CUDA_ARCH__)
    __pipeline_commit();
    __pipeline_wait_prior(0);
#endif
  }

  MEMSTENCIL_FUNCTION void write(const Job<T>& job, const Corner& from) const {
    MEMSTENCIL_UNROLL
    for (int n = 0; n < Side / write_step; ++n) {
      const int column = thread / vectors + n * write_step;
      if (from.column + column >= job.columns) break;
      T* const own = job.b + (from.column + column) * job.b_pitch + from.row;
      const int first = thread % vectors * size - past_sector(own);  // of the vector, from `own`
      Vector<T> value;
      MEMSTENCIL_UNROLL
      for (int v = 0; v < size; ++v) value.x[v] = shared[(first + above + v) * kept_pitch + column];
      if (from.row + first >= 0 && from.row + first + size <= job.rows) {
        Once::write(reinterpret_cast<Vector<T>*>(own + first), value);
      } else {
        write_part(own + first, value, -(from.row + first), job.rows - from.row - first);
      }
    }
  }

private:
  /// The elements [from, end) of a vector.
  MEMSTENCIL_FUNCTION static void write_part(T* to, const Vector<T>& value, std::int64_t from,
                                             std::int64_t end) {
    MEMSTENCIL_UNROLL
    for (int v = 0; v < size; ++v)
      if (v >= from && v < end) to[v] = value.x[v];
  }
  MEMSTENCIL_FUNCTION static int past_sector(const T* at) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(at) / sizeof(T) % sector);
  }
  MEMSTENCIL_FUNCTION static void start_copy(T* to, const T* from) {
#if defined(__CUDA_ARCH__)
    __pipeline_memcpy_async(to, from, sizeof(T));
#else
    *to = *from;
#endif
  }
};

}  // namespace memstencil::transpose
