// Transposes of parts of a matrix on one host core: SIMD squares turned in registers, whole cache lines out.
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

/// Rows and columns of the parts that a core works on: long enough for the memory to deliver runs, small
/// enough for the second-level cache to keep the lines of A that are read piece by piece.
inline constexpr int host_side = 128;

/// Elements of scratch memory for host_transpose.
template <class T>
inline constexpr int host_scratch = (host_side + line_bytes / static_cast<int>(sizeof(T))) * line_bytes /
                                    static_cast<int>(sizeof(T));

/// The columns of `part` become rows of B: B = A^T or B += A^T there. Parts start at multiples of
/// host_side. With streaming stores neighbouring parts share out the lines of B: where B's rows do not
/// start at lines, a part writes up to the last line that starts in it, and from the first.
template <class T>
void host_transpose(const Job<T>& job, const Part& part, Stores stores, T* scratch);

/// In place: `part`, on or above the diagonal, changes places with its mirror image.
template <class T>
void host_swap(const Job<T>& job, const Part& part);

/// The yardstick: one row of A to B, or added to it, with A's pitch.
template <class T>
void host_copy_row(const Job<T>& job, std::int64_t row, Stores stores);

}  // namespace memstencil::transpose
