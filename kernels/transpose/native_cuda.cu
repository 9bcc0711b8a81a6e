// In native CUDA: the yardstick, which is the same matrix read and written in order, and the
// variants of [ufrgs-thesis], each of which differs from the one before in one thing.
#include "kernels/cuda_calls.cuh"
#include "kernels/transpose/element_tile.hpp"
#include "kernels/transpose/variants.hpp"

namespace memstencil::transpose {
namespace {

constexpr int threads = 256;

/// Rows of `length` units from `from` to `to`, a unit a thread (four were 1 % slower on an H100).
template <class Unit>
__global__ void __launch_bounds__(threads)
    copy_rows(const Unit* from, Unit* to, std::int64_t length, std::int64_t pitch, unsigned parts) {
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x % parts) * threads + threadIdx.x;
  if (column >= length) return;
  const std::int64_t at = blockIdx.x / parts * pitch + column;
  to[at] = from[at];
}

template <class Unit>
void launch_copy(const Unit* from, Unit* to, std::int64_t rows, std::int64_t length,
                 std::int64_t pitch, void* stream) {
  const std::int64_t parts = (length + threads - 1) / threads;
  copy_rows<<<static_cast<unsigned>(rows * parts), threads, 0, static_cast<cudaStream_t>(stream)>>>(
      from, to, length, pitch, static_cast<unsigned>(parts));
  check(cudaGetLastError(), "transpose, copy");
}

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

/// Through shared memory: a block moves a tile.
template <class Tile, class Order, class T>
__global__ void __launch_bounds__(threads) move_tiles(const Job<T> job, const Order order) {
  extern __shared__ __align__(16) unsigned char memory[];
  const Tile tile(memory, static_cast<int>(threadIdx.x));
  const Corner from = Tile::corner(order.at(blockIdx.x));
  tile.read(job, from);
  __syncthreads();
  tile.write(job, from);
}

template <class Order, class T>
void launch(void (*kernel)(Job<T>, Order), int side, int shared_bytes, Variant variant,
            const Job<T>& job, void* stream) {
  const TileCounts tiles = tile_counts(job.rows, job.columns, side, side);
  if (shared_bytes > 0)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  kernel<<<tiles.total(), threads, shared_bytes, static_cast<cudaStream_t>(stream)>>>(job,
                                                                                      Order{tiles});
  check(cudaGetLastError(), "transpose, " + std::string(name(variant)));
}

template <int side, int padding, class Order, class T>
void by_tiles(Variant variant, const Job<T>& job, void* stream) {
  using Tile = ElementTile<T, side, padding, threads, false>;
  launch(move_tiles<Tile, Order, T>, side, Tile::shared_bytes, variant, job, stream);
}

template <int side, class T>
void move(Variant variant, const Job<T>& job, void* stream) {
  switch (variant) {
    case Variant::Naive:
      return launch(move_elements<side, T>, side, 0, variant, job, stream);
    case Variant::Tiled:
      return by_tiles<side, 0, AlongRows>(variant, job, stream);
    case Variant::Padded:
      return by_tiles<side, 1, AlongRows>(variant, job, stream);
    case Variant::Diagonal:
      return by_tiles<side, 1, AlongDiagonals>(variant, job, stream);
    case Variant::DiagonalConflicts:
      return by_tiles<side, 0, AlongDiagonals>(variant, job, stream);
    default:
      throw std::invalid_argument(std::string(name(variant)) + " is no variant of the thesis");
  }
}

}  // namespace

template <class T>
void copy_cuda(const Job<T>& job, void* stream) {
  // Without padding the matrix is one long row, and its ends alone may be out of step with vectors.
  const bool gapless = job.a_pitch == job.columns;
  const std::int64_t rows = gapless ? 1 : job.rows;
  const std::int64_t length = gapless ? job.rows * job.columns : job.columns;
  constexpr std::int64_t size = Vector<T>::size;
  const bool vectors =
      starts_at_vector(job.a) && starts_at_vector(job.b) && (gapless || job.a_pitch % size == 0);
  const std::int64_t whole = vectors ? length / size : 0;
  if (whole > 0)
    launch_copy(reinterpret_cast<const Vector<T>*>(job.a), reinterpret_cast<Vector<T>*>(job.b),
                rows, whole, job.a_pitch / size, stream);
  if (whole * size < length)
    launch_copy(job.a + whole * size, job.b + whole * size, rows, length - whole * size,
                job.a_pitch, stream);
}

template <class T>
void thesis_cuda(Variant variant, const Job<T>& job, void* stream) {
  return job.tile == 16 ? move<16>(variant, job, stream) : move<32>(variant, job, stream);
}

template void copy_cuda(const Job<float>&, void*);
template void copy_cuda(const Job<double>&, void*);
template void thesis_cuda(Variant, const Job<float>&, void*);
template void thesis_cuda(Variant, const Job<double>&, void*);

}  // namespace memstencil::transpose
