// The variants of [ufrgs-thesis] in native CUDA; each differs from the one before in one thing.
#include "kernels/transpose/element_tile.hpp"
#include "kernels/transpose/tiles_cuda.cuh"
#include "kernels/transpose/variants.hpp"

namespace memstencil::transpose {
namespace {

constexpr int threads = 256;

/// The same squares and the same reads as the tiles', so that only the writes differ.
template <Operation operation, int side, class T>
__global__ void __launch_bounds__(threads) move_elements(const Job<T> job, const AlongRows order) {
  const TileAt at = order.place(blockIdx.x);
  const std::int64_t column = static_cast<std::int64_t>(at.column) * side + threadIdx.x % side;
  if (column >= job.columns) return;
#pragma unroll
  for (int n = 0; n < side * side / threads; ++n) {
    const std::int64_t row =
        static_cast<std::int64_t>(at.row) * side + n * (threads / side) + threadIdx.x / side;
    // In place the thread of the upper right element moves both.
    if (row >= job.rows || (operation == Operation::InPlace && row >= column)) continue;
    const T value = job.a[row * job.a_pitch + column];
    T& target = job.b[column * job.b_pitch + row];
    if constexpr (operation == Operation::InPlace) job.b[row * job.b_pitch + column] = target;
    target = operation == Operation::Accumulate ? target + value : value;
  }
}

template <int side, class T>
void move_by_element(const Job<T>& job, void* stream) {
  const TileCounts tiles = tile_counts(job.rows, job.columns, side, side);
  with_operation(job.operation, [&](auto operation) {
    move_elements<operation(), side>
        <<<tiles.total(), threads, 0, static_cast<cudaStream_t>(stream)>>>(job, AlongRows{tiles});
  });
  check_launch("naive");
}

template <int side, int padding, class Order, class T>
void move_tiles_by_element(const char* what, const Job<T>& job, void* stream) {
  with_operation(job.operation, [&](auto operation) {
    using Tile = ElementTile<T, side, padding, threads, Usual>;
    launch_tiles<operation(), Tile, Order>(what, job, stream);
  });
}

}  // namespace

template <class T>
void thesis_cuda(Variant variant, const Job<T>& job, void* stream) {
  switch (variant) {
    case Variant::Naive:
      return move_by_element<32>(job, stream);
    case Variant::Naive16:
      return move_by_element<16>(job, stream);
    case Variant::Tiled:
      return move_tiles_by_element<32, 0, AlongRows>("tiled", job, stream);
    case Variant::Tiled16:
      return move_tiles_by_element<16, 0, AlongRows>("tiled", job, stream);
    case Variant::Padded:
      return move_tiles_by_element<32, 1, AlongRows>("padded", job, stream);
    case Variant::Padded16:
      return move_tiles_by_element<16, 1, AlongRows>("padded", job, stream);
    case Variant::Diagonal:
      return move_tiles_by_element<32, 1, AlongDiagonals>("diagonal", job, stream);
    case Variant::Diagonal16:
      return move_tiles_by_element<16, 1, AlongDiagonals>("diagonal", job, stream);
    case Variant::DiagonalConflicts:
      return move_tiles_by_element<32, 0, AlongDiagonals>("diagonal-conflicts", job, stream);
    case Variant::DiagonalConflicts16:
      return move_tiles_by_element<16, 0, AlongDiagonals>("diagonal-conflicts", job, stream);
    default:
      throw std::invalid_argument(std::string(name(variant)) + " is no variant of the thesis");
  }
}

template void thesis_cuda(Variant, const Job<float>&, void*);
template void thesis_cuda(Variant, const Job<double>&, void*);

}  // namespace memstencil::transpose
