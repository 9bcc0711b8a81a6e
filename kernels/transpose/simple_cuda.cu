// The variants of [ufrgs-thesis] in native CUDA; each differs from the one before in one thing.
#include "kernels/transpose/element_tile.hpp"
#include "kernels/transpose/tiles_cuda.cuh"
#include "kernels/transpose/variants.hpp"

namespace memstencil::transpose {
namespace {

constexpr int threads = 256;

/// The same squares and the same reads as the tiles', so that only the writes differ.
template <int side, class T>
__global__ void __launch_bounds__(threads) move_elements(const Job<T> job, const AlongRows order) {
  const TileAt at = order.at(blockIdx.x);
  const std::int64_t column = static_cast<std::int64_t>(at.column) * side + threadIdx.x % side;
  if (column >= job.columns) return;
#pragma unroll
  for (int n = 0; n < side * side / threads; ++n) {
    const std::int64_t row =
        static_cast<std::int64_t>(at.row) * side + n * (threads / side) + threadIdx.x / side;
    if (row < job.rows) job.b[column * job.b_pitch + row] = job.a[row * job.a_pitch + column];
  }
}

template <int side, class T>
void move_by_element(const Job<T>& job, void* stream) {
  const TileCounts tiles = tile_counts(job.rows, job.columns, side, side);
  move_elements<side>
      <<<tiles.total(), threads, 0, static_cast<cudaStream_t>(stream)>>>(job, AlongRows{tiles});
  check(cudaGetLastError(), "transpose, naive");
}

template <int side, class T>
void move(Variant variant, const Job<T>& job, void* stream) {
  using Unpadded = ElementTile<T, side, 0, threads, Usual>;
  using WithPadding = ElementTile<T, side, 1, threads, Usual>;
  switch (variant) {
    case Variant::Naive:
      return move_by_element<side>(job, stream);
    case Variant::Tiled:
      return launch_tiles<Unpadded, AlongRows>("transpose, tiled", job, stream);
    case Variant::Padded:
      return launch_tiles<WithPadding, AlongRows>("transpose, padded", job, stream);
    case Variant::Diagonal:
      return launch_tiles<WithPadding, AlongDiagonals>("transpose, diagonal", job, stream);
    case Variant::DiagonalConflicts:
      return launch_tiles<Unpadded, AlongDiagonals>("transpose, diagonal-conflicts", job, stream);
    default:
      throw std::invalid_argument(std::string(name(variant)) + " is no variant of the thesis");
  }
}

}  // namespace

template <class T>
void thesis_cuda(Variant variant, const Job<T>& job, void* stream) {
  return job.tile == 16 ? move<16>(variant, job, stream) : move<32>(variant, job, stream);
}

template void thesis_cuda(Variant, const Job<float>&, void*);
template void thesis_cuda(Variant, const Job<double>&, void*);

}  // namespace memstencil::transpose
