// The variants in native CUDA. Each starts its kernel and returns; variants.cpp asks first whether
// the job is possible.
#pragma once

#include "kernels/transpose/transpose.hpp"

#include <string>

namespace memstencil::transpose {

// In `stream` (a cudaStream_t); a launch that fails is a std::runtime_error.

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
