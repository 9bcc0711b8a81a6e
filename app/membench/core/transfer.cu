// Transfers between memories: by the copy engines and by a kernel, alone and while others go on.
#include "app/membench/core/transfer.cuh"

#include "kernels/elapsed.hpp"

#include <deque>

namespace memstencil::membench {

namespace {

constexpr int copy_threads = 512;

/// A warp's access is 512 contiguous bytes. With fewer threads than pairs each
/// goes on by the grid's width.
__global__ void copy_pairs(double2* __restrict__ to, const double2* __restrict__ from,
                           std::size_t pairs) {
  const std::size_t width = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < pairs;
       n += width)
    to[n] = from[n];
}

__global__ void read_pairs(unsigned long long* __restrict__ sum,
                           const ulonglong2* __restrict__ from, std::size_t pairs) {
  __shared__ unsigned long long of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  const std::size_t width = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  unsigned long long own = 0;
#pragma unroll 4
  for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < pairs;
       n += width) {
    const ulonglong2 words = from[n];
    own += words.x + words.y;
  }
  for (int lane = 16; lane > 0; lane /= 2) own += __shfl_xor_sync(~0U, own, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(&of_block, own);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

/// A thread writes the same pair again and again: the grid is as wide as some blocks.
__global__ void write_pairs(double2* __restrict__ to, const double2* __restrict__ block,
                            std::size_t pairs) {
  static_assert(copy_threads % (probes::block_count / 2) == 0);
  const std::size_t width = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const double2 own = block[threadIdx.x % (probes::block_count / 2)];
  for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < pairs;
       n += width)
    to[n] = own;
}

/// Transfers in a stream of their own, of their GPU.
class Line {
public:
  explicit Line(const Transfer& of) : Line(of, Current(of.gpu)) {}

  void wait_for(const Event& event) const {
    const Current own(transfer.gpu);
    check(cudaStreamWaitEvent(stream.get(), event.get(), 0), "cudaStreamWaitEvent");
  }
  void start(int times) const {
    const Current own(transfer.gpu);
    record(begin, stream.get());
    for (int n = 0; n < times; ++n) {
      start_transfer(transfer, stream.get());
      if (n == 0) record(under_way, stream.get());
    }
    record(end, stream.get());
  }

  const Transfer transfer;
  const Stream stream;
  const Event begin, under_way, end;

private:
  Line(const Transfer& of, const Current&) : transfer(of) {}
};

bool staged(const Transfer& t) {
  constexpr auto pageable = MemorySpace::SystemAllocated;
  return t.mover == Mover::CopyEngine &&
         (t.to->buffer().space() == pageable || t.from->buffer().space() == pageable);
}

}  // namespace

Current::Current(int gpu) {
  check(cudaGetDevice(&before_), "cudaGetDevice");
  if (gpu >= 0) check(cudaSetDevice(gpu), "cudaSetDevice");
}

bool connect(int one, int other) {
  int reaches = 0;
  check(cudaDeviceCanAccessPeer(&reaches, one, other), "cudaDeviceCanAccessPeer");
  if (reaches == 0) return false;
  const Current current(one);
  const cudaError_t enabled = cudaDeviceEnablePeerAccess(other, 0);
  if (enabled == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError();
  else
    check(enabled, "cudaDeviceEnablePeerAccess");
  return true;
}

void start_transfer(const Transfer& t, cudaStream_t stream) {
  const std::size_t pairs = (t.mover == Mover::Reader ? t.from : t.to)->count() / 2;
  if (t.mover == Mover::CopyEngine)
    return check(cudaMemcpyAsync(t.to->data(), t.from->data(), pairs * sizeof(double2),
                                 cudaMemcpyDefault, stream),
                 "cudaMemcpyAsync");
  const auto start = [&]<class To, class From>(void (*kernel)(To*, const From*, std::size_t)) {
    std::size_t blocks = (pairs + copy_threads - 1) / copy_threads;
    // What half of the multiprocessors hold: with more, the kernel beside this one would wait. What
    // reads adds up its sums once a block.
    if (t.mover != Mover::Kernel)
      blocks = std::min(blocks,
                        static_cast<std::size_t>(
                            multiprocessors() *
                            resident_blocks(reinterpret_cast<const void*>(kernel), copy_threads)) /
                            (t.mover == Mover::KernelOnHalf ? 2 : 1));
    launch(kernel, {static_cast<unsigned>(blocks), copy_threads, 0, stream},
           reinterpret_cast<To*>(t.to->data()), reinterpret_cast<const From*>(t.from->data()),
           pairs);
  };
  if (t.mover == Mover::Reader) return start(read_pairs);
  start(t.mover == Mover::Writer ? write_pairs : copy_pairs);
}

double transfer_seconds(const std::vector<Transfer>& transfers, int times) {
  // The driver copies pageable memory into its own buffers before anything waits for the gate.
  if (transfers.size() == 1 && staged(transfers.front()))
    return host_seconds([&] {
      for (int n = 0; n < times; ++n) start_transfer(transfers.front(), nullptr);
      wait_for_gpu("copies of pageable memory");
    });
  constexpr int most = 256;  // times as many
  const std::deque<Line> lines(transfers.begin(), transfers.end());
  const Line& first = lines.front();
  const Current current(first.transfer.gpu);
  const Event opened;
  for (int more = 2; more <= most; more *= 2) {
    Gate gate;
    record(opened);  // behind the gate, which holds the first GPU's default stream alone
    first.wait_for(opened);
    for (std::size_t n = lines.size(); n-- > 1;) {
      lines[n].wait_for(opened);
      lines[n].start(more * times);
      first.wait_for(lines[n].under_way);
    }
    first.start(times);
    gate.open();
    check(cudaEventSynchronize(first.end.get()), "cudaEventSynchronize");
    // Events of two GPUs cannot be compared. What has not ended now was beside all of the first.
    bool outlasted = true;
    for (std::size_t n = 1; n < lines.size(); ++n) outlasted = outlasted && !is_over(lines[n].end);
    for (const Line& line : lines) {
      const Current own(line.transfer.gpu);
      wait_for_gpu("transfers beside others");
    }
    if (outlasted) return seconds_between(first.begin, first.end);
  }
  throw Failure(ExitCode::Machine, "transfers that were started together do not go on at once");
}

}  // namespace memstencil::membench
