// The variants of [ufrgs-thesis] in native CUDA; each differs from the one before in one thing.
#include "kernels/transpose/element_tile.hpp"
#include "kernels/transpose/tiles_cuda.cuh"
#include "kernels/transpose/variants.hpp"

namespace memstencil::transpose {
namespace {

constexpr int threads = 256;

/// Calls f with the side of the tiles as a constant.
template <class F>
void with_side(int side, const F& f) {
  if (side == 16) return f(std::integral_constant<int, 16>{});
  f(std::integral_constant<int, 32>{});
}

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

template <int Padding, class Order, class T>
void move_tiles_by_element(const char* what, const Job<T>& job, int tile_side, void* stream) {
  with_operation(job.operation, [&](auto operation) {
    with_side(tile_side, [&](auto side) {
      using Tile = ElementTile<T, side(), Padding, threads, Usual>;
      launch_tiles<operation(), Tile, Order>(what, job, stream);
    });
  });
}

}  // namespace

template <class T>
void naive_cuda(const Job<T>& job, int tile_side, void* stream) {
  const TileCounts tiles = tile_counts(job.rows, job.columns, tile_side, tile_side);
  with_operation(job.operation, [&](auto operation) {
    with_side(tile_side, [&](auto side) {
      move_elements<operation(), side()>
          <<<tiles.total(), threads, 0, static_cast<cudaStream_t>(stream)>>>(job, AlongRows{tiles});
    });
  });
  check_launch("naive");
}

template <class T>
void tiled_cuda(const Job<T>& job, int side, void* stream) {
  move_tiles_by_element<0, AlongRows>("tiled", job, side, stream);
}

template <class T>
void padded_cuda(const Job<T>& job, int side, void* stream) {
  move_tiles_by_element<1, AlongRows>("padded", job, side, stream);
}

template <class T>
void diagonal_cuda(const Job<T>& job, int side, void* stream) {
  move_tiles_by_element<1, AlongDiagonals>("diagonal", job, side, stream);
}

template <class T>
void diagonal_conflicts_cuda(const Job<T>& job, int side, void* stream) {
  move_tiles_by_element<0, AlongDiagonals>("diagonal-conflicts", job, side, stream);
}

#define MEMSTENCIL_INSTANTIATE(T)                         \
  template void naive_cuda(const Job<T>&, int, void*);    \
  template void tiled_cuda(const Job<T>&, int, void*);    \
  template void padded_cuda(const Job<T>&, int, void*);   \
  template void diagonal_cuda(const Job<T>&, int, void*); \
  template void diagonal_conflicts_cuda(const Job<T>&, int, void*);
MEMSTENCIL_INSTANTIATE(float)
MEMSTENCIL_INSTANTIATE(double)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::transpose
