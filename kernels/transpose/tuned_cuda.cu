// The fastest transpose in native CUDA.
#include "kernels/transpose/element_tile.hpp"
#include "kernels/transpose/native_cuda.hpp"
#include "kernels/transpose/tiles_cuda.cuh"
#include "kernels/transpose/vector_tile.hpp"

#include <algorithm>

namespace memstencil::transpose {
namespace {

constexpr int side = 64;
constexpr int threads = 256;

constexpr auto in_strips = [](const TileCounts& tiles) { return InStrips{tiles, std::min(tiles.rows, 16U)}; };

}  // namespace

template <class T>
void tuned_cuda(const Job<T>& job, void* stream) {
  if (rows_start_at_vectors(job))
    launch_tiles<VectorTile<T, side, side, threads>>("tuned", job, stream, in_strips);
  else
    launch_tiles<ElementTile<T, side, 1, threads, Once>>("tuned", job, stream, in_strips);
}

template void tuned_cuda(const Job<float>&, void*);
template void tuned_cuda(const Job<double>&, void*);

}  // namespace memstencil::transpose
