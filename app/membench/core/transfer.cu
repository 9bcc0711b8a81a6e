// Launches and events of a GPU, and the gate before timed work; transfers between memories, alone
// and while others go on.
#include "app/membench/core/transfer.cuh"

#include "kernels/elapsed.hpp"

#include <deque>

namespace memstencil::membench {

namespace {

__global__ void wait_for(const volatile unsigned* open) {
  constexpr unsigned long long most_ns = 20'000'000;
  unsigned long long begin = 0, now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (*open == 0 && now - begin < most_ns);
}

/// A word that host and GPU see. Never released: that would wait for the GPU, in each sample or
/// after the end of Kokkos.
volatile unsigned* gate_word() {
  static const Buffer* const word = new Buffer(MemorySpace::HostPinned, sizeof(unsigned), "gate");
  return static_cast<unsigned*>(word->data());
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

/// Has the work before it ended?
bool is_over(const Event& event) {
  const cudaError_t status = cudaEventQuery(event.get());
  if (status != cudaErrorNotReady) check(status, "cudaEventQuery");
  cudaGetLastError();  // "not ready" is no error of the next call
  return status == cudaSuccess;
}

bool staged(const Transfer& t) {
  constexpr auto pageable = MemorySpace::SystemAllocated;
  return t.mover == Mover::CopyEngine && (t.to->space() == pageable || t.from->space() == pageable);
}

}  // namespace

int resident_blocks(const void* kernel, int threads) {
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return resident;
}

std::size_t take_all_shared_memory(const void* kernel) {
  cudaFuncAttributes own{};
  check(cudaFuncGetAttributes(&own, kernel), "cudaFuncGetAttributes");
  const int bytes = gpu_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) -
                    static_cast<int>(own.sharedSizeBytes);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "cudaFuncSetAttribute, shared memory");
  return static_cast<std::size_t>(bytes);
}

Gate::Gate() {
  wait_for_gpu("work before a sample");
  *gate_word() = 0;
  launch(wait_for, {1, 1}, gate_word());
}

void Gate::open() { *gate_word() = 1; }

double seconds_between(const Event& begin, const Event& end) {
  check(cudaEventSynchronize(end.get()), "work of a sample");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

double seconds_of(const std::function<void()>& work) {
  const Event begin, end;
  Gate gate;
  record(begin);
  work();
  record(end);
  gate.open();
  return seconds_between(begin, end);
}

void start_transfer(const Transfer& t, cudaStream_t stream) {
  const bool reads = t.mover == Mover::Reader, writes = t.mover == Mover::Writer;
  const Array& whole = *(reads ? t.from : t.to);
  const std::size_t elements = whole.count() * sizeof(double) / sizeof(Element);
  if (t.mover == Mover::CopyEngine)
    return check(cudaMemcpyAsync(t.to->data(), t.from->data(), elements * sizeof(Element),
                                 cudaMemcpyDefault, stream),
                 "cudaMemcpyAsync");
  const auto kernel = reads    ? &stream_once<StreamOperation::Read>
                      : writes ? &stream_once<StreamOperation::Write>
                               : &stream_once<StreamOperation::Copy>;
  std::size_t blocks = (elements + once_threads - 1) / once_threads;
  // Half of the blocks that the GPU holds: with more, the kernel at the same time would wait. A
  // reader adds its sums up once a block.
  if (t.mover != Mover::Kernel) {
    const int resident = resident_blocks(reinterpret_cast<const void*>(kernel), once_threads);
    blocks = std::min(blocks, static_cast<std::size_t>(multiprocessors() * resident) /
                                  (t.mover == Mover::KernelOnHalf ? 2 : 1));
  }
  const StreamJob job{reinterpret_cast<Element*>(whole.data()),
                      reinterpret_cast<const Element*>(t.from->data()), nullptr,
                      static_cast<unsigned>(t.from->count() * sizeof(double) / sizeof(Element)),
                      reinterpret_cast<std::uint64_t*>(t.to->data())};
  const std::size_t width = blocks * once_threads;
  launch(kernel, {static_cast<unsigned>(blocks), once_threads, 0, stream}, job,
         static_cast<unsigned>(elements / width), static_cast<unsigned>(elements % width));
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
    // Events of two GPUs cannot be compared. A line that has not ended now went on with the first.
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
