// The fastest transpose in native CUDA: what was measured best on an H100 for each alignment.
#include "kernels/transpose/shifted_tile.hpp"
#include "kernels/transpose/tiles_cuda.cuh"
#include "kernels/transpose/variants.hpp"
#include "kernels/transpose/vector_tile.hpp"

namespace memstencil::transpose {
namespace {

/// Rows of A are read in runs of 1 KiB, and blocks that run at a time write neighbouring parts of
/// B's rows. The transpose costs nothing: a kernel that copied the same tiles in the same order
/// was no faster on an H100 (0.967 of a copy in order, both). Wider, taller and clustered tiles, a
/// ring of tiles by cp.async, and the tensor copy engine were not either.
template <class T>
using WideTile = VectorTile<T, 64, 1024 / static_cast<int>(sizeof(T)), 512>;

}  // namespace

template <class T>
void tuned_cuda(const Job<T>& job, void* stream) {
  if (rows_start_at_vectors(job))
    launch_tiles<WideTile<T>, DownColumns>("transpose, tuned", job, stream);
  else
    launch_tiles<ShiftedTile<T, 64, 512>, DownColumns>("transpose, tuned", job, stream);
}

template <class T>
void tuned_cuda(const std::vector<Job<T>>& jobs, void* stream) {
  if (jobs.empty()) return;
  if (std::all_of(jobs.begin(), jobs.end(), rows_start_at_vectors<T>))
    launch_tiles_together<WideTile<T>, DownColumns>("transpose, tuned", jobs, stream);
  else
    launch_tiles_together<ShiftedTile<T, 64, 512>, DownColumns>("transpose, tuned", jobs, stream);
}

template void tuned_cuda(const Job<float>&, void*);
template void tuned_cuda(const Job<double>&, void*);
template void tuned_cuda(const std::vector<Job<float>>&, void*);
template void tuned_cuda(const std::vector<Job<double>>&, void*);

}  // namespace memstencil::transpose
