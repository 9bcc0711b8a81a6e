// The fastest transpose in native CUDA: what was measured best on an H100 for each alignment.
#include "kernels/transpose/element_tile.hpp"
#include "kernels/transpose/native_cuda.hpp"
#include "kernels/transpose/shifted_tile.hpp"
#include "kernels/transpose/tiles_cuda.cuh"
#include "kernels/transpose/vector_tile.hpp"
#include "kernels/transpose/with_operation.hpp"

namespace memstencil::transpose {
namespace {

/// Four blocks at a time on a multiprocessor of Hopper (228 KiB, of which each takes one more), and no more:
/// the fewer rows are under way, the longer the runs that reach the memory (docs/results.md).
template <class Tile>
struct FourAtATime : Tile {
  using Tile::Tile;
  static constexpr int shared_bytes = (228 / 4 - 1) * 1024;
  static_assert(shared_bytes >= Tile::shared_bytes);
};

template <class T>
using Square = VectorTile<T, 64, 64, 256>;

/// Rows of A are read in runs of 1 KiB.
template <class T>
using Strips = DownStrips<1024 / (64 * sizeof(T))>;

template <Operation operation, class T>
void tuned(const Job<T>& job, void* stream) {
  const bool vectors = rows_start_at_vectors(job);
  if constexpr (operation == Operation::InPlace) {
    if (vectors)
      launch_tiles<operation, Square<T>, DownColumns>("tuned", job, stream);
    else
      launch_tiles<operation, ElementTile<T, 32, 1, 256, Once>, DownColumns>("tuned", job, stream);
  } else {
    if (vectors)
      launch_tiles<operation, FourAtATime<Square<T>>, Strips<T>>("tuned", job, stream);
    else
      launch_tiles<operation, ShiftedTile<T, 64, 512>, DownColumns>("tuned", job, stream);
  }
}

}  // namespace

template <class T>
void tuned_cuda(const Job<T>& job, void* stream) {
  with_operation(job.operation, [&](auto operation) { tuned<operation()>(job, stream); });
}

template void tuned_cuda(const Job<float>&, void*);
template void tuned_cuda(const Job<double>&, void*);

}  // namespace memstencil::transpose
