// Transfers between memories: by the copy engines and by a kernel, in one stream or in two at once.
#include "kernels/probes/link.hpp"

#include "kernels/probes/check.cuh"
#include "kernels/probes/clocks.hpp"

#include <cstdint>

namespace memstencil::probes {

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

/// All passes in registers.
__global__ void multiply_on(std::uint32_t* words, int passes) {
  std::uint32_t& own = words[blockIdx.x * blockDim.x + threadIdx.x];
  std::uint32_t x = own;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll 32
    for (int n = 0; n < work_steps; ++n) {
      x = work_step(x);
      asm volatile("" : "+r"(x));  // otherwise the compiler takes steps together
    }
  }
  own = x;
}

/// Blocks for one pair a thread.
int blocks_for_all_pairs(const Transfer& t) {
  return static_cast<int>((t.count / 2 + threads - 1) / threads);
}

/// Blocks that half of the multiprocessors hold at once: a kernel with more would fill the GPU, and
/// the one beside it would wait.
int blocks_of_half_the_gpu() {
  int device = 0, multiprocessors = 0, resident = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, copy_pairs, threads, 0),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return multiprocessors * resident / 2;
}

/// A stream that waits for the default stream, and that the default stream waits for.
class Stream {
public:
  Stream() { check(cudaStreamCreate(&stream_), "cudaStreamCreate"); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};

void start(const Transfer& t, Mover mover, int blocks, cudaStream_t stream) {
  if (mover == Mover::CopyEngine) {
    check(cudaMemcpyAsync(t.to, t.from, t.count * sizeof(double), cudaMemcpyDefault, stream),
          "cudaMemcpyAsync");
    return;
  }
  copy_pairs<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(
      reinterpret_cast<double2*>(t.to), reinterpret_cast<const double2*>(t.from), t.count / 2);
}

void start(const Work& work, cudaStream_t stream) {
  constexpr unsigned block = 256;
  if (work.kind == Work::Kind::Arithmetic) {
    multiply_on<<<work.words / block, block, 0, stream>>>(work.first, work.passes);
    return;
  }
  for (int pass = 0; pass < work.passes; ++pass)
    start(work.inside, Mover::Kernel, blocks_for_all_pairs(work.inside), stream);
}

}  // namespace

double transfer_seconds(const Transfer& transfer, Mover mover, int times) {
  const int blocks = blocks_for_all_pairs(transfer);
  return seconds_of([&] {
    for (int n = 0; n < times; ++n) start(transfer, mover, blocks, nullptr);
  });
}

double transfer_seconds_at_once(const Transfer& one, const Transfer& other, Mover mover,
                                int times) {
  const int blocks = blocks_of_half_the_gpu();
  const Stream first, second;
  return seconds_of([&] {
    for (int n = 0; n < times; ++n) {
      start(one, mover, blocks, first.get());
      start(other, mover, blocks, second.get());
    }
  });
}

double seconds_beside(const Transfer* transfer, const Work* work) {
  const Stream one, other;
  return seconds_of([&] {
    if (transfer) start(*transfer, Mover::CopyEngine, 0, one.get());
    if (work) start(*work, other.get());
  });
}

}  // namespace memstencil::probes
