// The yardstick of the transposes on a GPU: the same matrix read and written in order.
#include "kernels/transpose/tiles_cuda.cuh"
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

template void copy_cuda(const Job<float>&, void*);
template void copy_cuda(const Job<double>&, void*);

}  // namespace memstencil::transpose
