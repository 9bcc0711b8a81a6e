// Transposes of parts of a matrix on one host core: SIMD squares turned in
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

/// Rows and columns of the parts that a core works on: long enough for the memory to deliver runs,
/// few enough for the caches to keep the lines of A that are read piece by piece, and those of B
/// that are not written past them.
constexpr int host_side(Stores stores) { return stores == Stores::Streaming ? 128 : 256; }

/// Past the caches where the job's matrices exceed them, unless it reads B anyway.
template <class T>
Stores host_stores(const Job<T>& job);

/// The conditions of streaming stores of whole lines. (Where rows start elsewhere, shifting lines
/// through a buffer was slower than the caches.)
template <class T>
bool rows_start_at_lines(const Job<T>& job);

/// The columns of `part` become rows of B: B = A^T or B += A^T there. Parts
/// start at multiples of a line.
/// @param stores Streaming only where rows_start_at_lines(job)
template <class T>
void host_transpose(const Job<T>& job, const Part& part, Stores stores);

/// In place: `part`, on or above the diagonal, changes places with its mirror image.
template <class T>
void host_swap(const Job<T>& job, const Part& part);

/// The yardstick: one row of A to B, or added to it, with A's pitch.
template <class T>
void host_copy_row(const Job<T>& job, std::int64_t row, Stores stores);

}  // namespace memstencil::transpose
