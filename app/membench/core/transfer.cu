// Transfers between memories: by the copy engines and by a kernel, alone and while others go on.
#include "app/membench/core/transfer.cuh"

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

/// Blocks that half of the multiprocessors hold at once: a kernel with more would fill the GPU, and
/// the one beside it would wait.
std::size_t blocks_of_half_the_gpu() {
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, copy_pairs, copy_threads, 0),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return static_cast<std::size_t>(multiprocessors() * resident / 2);
}

/// Transfers in a stream of their own.
struct Line {
  explicit Line(const Transfer& of) : transfer(of), making(std::make_unique<Current>(of.gpu)) {
    making.reset();
  }
  Transfer transfer;
  std::unique_ptr<Current> making;  // while stream and events are made, in this order
  Stream stream;
  Event begin, end;

  void start(int times, const Event& gate) const {
    const Current own(transfer.gpu);
    check(cudaStreamWaitEvent(stream.get(), gate.get(), 0), "cudaStreamWaitEvent");
    begin.record(stream.get());
    for (int n = 0; n < times; ++n) start_transfer(transfer, stream.get());
    end.record(stream.get());
  }
};

}  // namespace

Current::Current(int gpu) {
  check(cudaGetDevice(&before_), "cudaGetDevice");
  if (gpu >= 0) check(cudaSetDevice(gpu), "cudaSetDevice");
}

void start_transfer(const Transfer& t, cudaStream_t stream) {
  const std::size_t pairs = t.to->count() / 2;
  if (t.mover == Mover::CopyEngine) {
    check(cudaMemcpyAsync(t.to->data(), t.from->data(), pairs * sizeof(double2), cudaMemcpyDefault,
                          stream),
          "cudaMemcpyAsync");
    return;
  }
  const std::size_t blocks = t.mover == Mover::Kernel ? (pairs + copy_threads - 1) / copy_threads
                                                      : blocks_of_half_the_gpu();
  launch(copy_pairs, {static_cast<unsigned>(blocks), copy_threads, 0, stream},
         reinterpret_cast<double2*>(t.to->data()), reinterpret_cast<const double2*>(t.from->data()),
         pairs);
}

double transfer_seconds(const Transfer& transfer, int times, const std::vector<Transfer>& others) {
  const auto line = std::make_unique<Line>(transfer);
  std::vector<std::unique_ptr<Line>> beside;
  for (const Transfer& other : others) beside.push_back(std::make_unique<Line>(other));
  const Current first(transfer.gpu);
  const Event opened;
  for (int more = 2 * times;; more *= 2) {
    Gate gate;
    opened.record();  // behind the gate, which holds the first GPU's default stream alone
    for (const auto& other : beside) other->start(more, opened);
    line->start(times, opened);
    gate.open();
    const double seconds = line->end.seconds_since(line->begin);
    bool outlasted = true;
    for (const auto& other : beside) {
      const Current own(other->transfer.gpu);
      wait_for_gpu("transfers beside others");
      // Events of two GPUs cannot be compared; the others have made twice as many.
      if (other->transfer.gpu == transfer.gpu)
        outlasted = outlasted && other->end.seconds_since(line->end) >= 0;
    }
    if (outlasted) return seconds;
  }
}

}  // namespace memstencil::membench
