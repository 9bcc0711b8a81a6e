// The variants one by one. Each starts its kernel and returns; variants.cpp asks first whether the
// job is possible.
#pragma once

#include "kernels/transpose/transpose.hpp"

#include <span>
#include <string>

namespace memstencil::transpose {

/// Written once for hosts and devices: one kernel of teams with scratch memory. On a device a team
/// of 256 threads moves a padded 64 x 64 tile, and all jobs share a kernel, a tile of each in turn;
/// on a host a team of one thread moves a part of the matrix that its caches hold, by SIMD.
/// @param jobs most_jobs_together at most
template <class Exec, class T>
void portable(const Exec& exec, std::span<const Job<T>> jobs);

/// Element by element, rows of A in order.
template <class Exec, class T>
void naive_host(const Exec& exec, const Job<T>& job);

/// The yardstick on a host: the same matrix read and written in order, past the caches
/// where it does not fit them.
template <class Exec, class T>
void copy_host(const Exec& exec, const Job<T>& job);

// Native CUDA, in `stream` (a cudaStream_t); a launch that fails is a std::runtime_error.

/// A variant of [ufrgs-thesis], in tiles of Job::tile:
/// - Naive: each element by itself, rows of A read side by side (section 4.3): B is written with a
///   stride of a row, one sector an element; with tiles of 16, one sector two elements.
/// - Tiled: through a tile in shared memory (4.3.2): both matrices in whole rows of the tile, but a
///   column of the tile lies in one bank of 32 (side 32), or in two (side 16, floats).
/// - Padded: with a column more in the tile (4.3.2): free of bank conflicts, but that with side 16
///   and floats two lanes of a warp meet in one of 32 banks.
/// - Diagonal: the padded tile, and tiles taken along diagonals (4.4.1).
/// - DiagonalConflicts: with the bank conflicts left in: the other curve of figure 4.11.
template <class T>
void thesis_cuda(Variant variant, const Job<T>& job, void* stream);

/// The yardstick: 16 bytes an access if the alignment allows.
template <class T>
void copy_cuda(const Job<T>& job, void* stream);

/// cuBLAS' geam. The library is looked up at the first call, not linked: it is half a gigabyte,
/// and no other variant needs it.
template <class T>
void vendor_cuda(const Job<T>& job, void* stream);

/// The reason why vendor_cuda cannot do the job here; empty: it can.
template <class T>
std::string why_not_vendor_cuda(const Job<T>& job);

}  // namespace memstencil::transpose
