// Transfers between memories: by the copy engines and by a kernel.
#include "app/membench/core/transfer.cuh"

namespace memstencil::membench {

namespace {

constexpr int threads = 512;

/// A warp's access is 512 contiguous bytes. With fewer threads than pairs each
/// goes on by the grid's width.
__global__ void copy_pairs(double2* __restrict__ to, const double2* __restrict__ from,
                           std::size_t pairs) {
  const std::size_t width = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < pairs;
       n += width)
    to[n] = from[n];
}

/// Blocks that half of the multiprocessors hold at once: a kernel with more would fill the GPU, and
/// the one beside it would wait.
unsigned blocks_of_half_the_gpu() {
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, copy_pairs, threads, 0),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return static_cast<unsigned>(multiprocessors() * resident / 2);
}

}  // namespace

void start_transfer(const Transfer& t, Mover mover, cudaStream_t stream) {
  if (mover == Mover::CopyEngine) {
    check(cudaMemcpyAsync(t.to, t.from, t.count * sizeof(double), cudaMemcpyDefault, stream),
          "cudaMemcpyAsync");
    return;
  }
  const auto of_all_pairs = static_cast<unsigned>((t.count / 2 + threads - 1) / threads);
  const unsigned blocks = mover == Mover::Kernel ? of_all_pairs : blocks_of_half_the_gpu();
  copy_pairs<<<blocks, threads, 0, stream>>>(reinterpret_cast<double2*>(t.to),
                                             reinterpret_cast<const double2*>(t.from), t.count / 2);
  check(cudaGetLastError(), "copy by a kernel");
}

double transfer_seconds(const Transfer& transfer, Mover mover, int times) {
  return seconds_of([&] {
    for (int n = 0; n < times; ++n) start_transfer(transfer, mover, nullptr);
  });
}

double seconds_against(const Transfer& transfer, const Transfer& other, Mover mover, int times) {
  const Stream own, others;
  const Event begin, end, others_end;
  for (int more = 2 * times;; more *= 2) {
    Gate gate;
    begin.record(own.get());
    for (int n = 0; n < more; ++n) {
      start_transfer(other, mover, others.get());
      if (n < times) start_transfer(transfer, mover, own.get());
      if (n + 1 == times) end.record(own.get());
    }
    others_end.record(others.get());
    gate.open();
    const double seconds = end.seconds_since(begin);
    if (others_end.seconds_since(end) >= 0) return seconds;
  }
}

}  // namespace memstencil::membench
