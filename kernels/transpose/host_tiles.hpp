// Transposes of parts of a matrix on one host core: SIMD squares transposed in
// registers, whole cache lines out.
#pragma once

#include "kernels/host_stores.hpp"
#include "kernels/transpose/transpose.hpp"

#include <cstdint>

namespace memstencil::transpose {

/// A part of A: rows and columns [from, to).
struct Part {
  std::int64_t from_row, to_row;
  std::int64_t from_column, to_column;
};

/// Rows and columns of a part.
struct PartSize {
  int rows, columns;
};

/// The parts that a core works on, one below the other (docs/lab/transpose.md). Few
/// rows: a core prefetches few streams well, and a strip across them writes a run of each row of B.
/// Many columns: long runs of A, as long as the pages of the rows of B stay within the reach of the
/// address translation. Into the caches the runs of B are longer, as B is read, too.
constexpr PartSize host_part(Stores stores) {
  return stores == Stores::Streaming ? PartSize{64, 256} : PartSize{128, 256};
}

/// Past the caches if the job's matrices exceed them.
template <class T>
Stores host_stores(const Job<T>& job);

/// The conditions of streaming stores of whole lines. (If rows start elsewhere, shifting lines
/// through a buffer was slower than the caches.)
template <class T>
bool rows_start_at_lines(const Job<T>& job);

/// The columns of `part` become rows of B. Parts start at multiples of a line.
/// @param stores Streaming only if rows_start_at_lines(job)
template <class T>
void host_transpose(const Job<T>& job, const Part& part, Stores stores);

/// The yardstick: one row of A to B, with A's pitch.
template <class T>
void host_copy_row(const Job<T>& job, std::int64_t row, Stores stores);

}  // namespace memstencil::transpose
