// Queues, events, counters and lap clocks of CUDA: its streams, its events, and the driver's waits.
#include "kernels/cuda_calls.cuh"
#include "kernels/elapsed.hpp"
#include "kernels/queue.hpp"

#include <cuda.h>
#include <cudaTypedefs.h>
#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <deque>
#include <utility>

namespace memstencil {

namespace {

using Kokkos::Cuda;

constexpr const char* queues = "queues";  // in errors

std::shared_ptr<void> first_in_line() {
  int last = 0, first = 0;
  check(cudaDeviceGetStreamPriorityRange(&last, &first), queues);
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, first), queues);
  return {stream, [](void* s) { cudaStreamDestroy(static_cast<cudaStream_t>(s)); }};
}

cudaEvent_t event_of(const Event<Cuda>& event) { return static_cast<cudaEvent_t>(event.get()); }

/// Of the driver's functions that wait for a number and that write one, which are alike.
struct CounterCalls {
  using Call = PFN_cuStreamWaitValue32_v11070;
  Call wait = driver_function<Call>("cuStreamWaitValue32");
  Call set = driver_function<Call>("cuStreamWriteValue32");
};
const CounterCalls& counter_calls() {
  static const CounterCalls found;
  return found;
}

void start(CounterCalls::Call call, const std::uint32_t* counter, std::uint32_t value, unsigned how,
           void* stream) {
  const CUresult status =
      call(static_cast<CUstream>(stream), reinterpret_cast<CUdeviceptr>(counter), value, how);
  if (status != CUDA_SUCCESS)
    throw std::runtime_error("counters of queues: error " +
                             std::to_string(static_cast<int>(status)));
}

/// Events in a ring. At most `ahead` laps are submitted beyond the one that runs, so that progress
/// and an interrupt are never far behind; fewer if the host looks for errors: a full queue of
/// the device would keep the host from it.
class CudaLapClock final : public LapClock {
  static constexpr std::size_t ring = 128;

public:
  CudaLapClock(const Kokkos::Cuda& exec, const std::function<void()>& look)
      : exec_(exec), look_(look), ahead_(look ? 8 : 32) {
    for (cudaEvent_t& event : events_) check(cudaEventCreate(&event), queues);
  }
  ~CudaLapClock() override {
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
  }
  void start() override { begin_ = record(); }
  void lap() override {
    const std::size_t end = record();
    pending_.emplace_back(begin_, end);
    begin_ = end;
    while (pending_.size() > ahead_) take_oldest();
  }
  const std::vector<double>& known() override {
    while (!pending_.empty() && cudaEventQuery(events_[pending_.front().second]) == cudaSuccess)
      take_oldest();
    cudaGetLastError();  // "not ready" stays behind as if it were an error
    return laps_;
  }
  std::vector<double> finish() override {
    while (!pending_.empty()) take_oldest();
    return std::exchange(laps_, {});
  }

private:
  std::size_t record() {
    next_ = (next_ + 1) % ring;
    check(cudaEventRecord(events_[next_], exec_.cuda_stream()), queues);
    return next_;
  }
  void take_oldest() {
    const auto [begin, end] = pending_.front();
    pending_.pop_front();
    float milliseconds = 0.0F;
    if (look_) {
      while (cudaEventQuery(events_[end]) == cudaErrorNotReady) look_();
      cudaGetLastError();  // "not ready" stays behind as if it were an error
    }
    check(cudaEventSynchronize(events_[end]), queues);
    check(cudaEventElapsedTime(&milliseconds, events_[begin], events_[end]), queues);
    laps_.push_back(elapsed(static_cast<double>(milliseconds) * 1e-3));
  }

  Kokkos::Cuda exec_;
  std::function<void()> look_;
  std::size_t ahead_;
  std::array<cudaEvent_t, ring> events_{};
  std::size_t next_ = 0;
  std::size_t begin_ = 0;
  std::deque<std::pair<std::size_t, std::size_t>> pending_;
  std::vector<double> laps_;
};

}  // namespace

template <>
void* stream_of(const Cuda& queue) {
  return queue.cuda_stream();
}
template <>
Event<Cuda>::Event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), queues);
  event_ = {event, [](void* e) { cudaEventDestroy(static_cast<cudaEvent_t>(e)); }};
}
template <>
void Event<Cuda>::record(const Cuda& queue) {
  check(cudaEventRecord(event_of(*this), queue.cuda_stream()), queues);
}
template <>
bool Event<Cuda>::query() const {
  const cudaError_t state = cudaEventQuery(event_of(*this));
  cudaGetLastError();  // "not ready" stays behind as if it were an error
  if (state == cudaErrorNotReady) return false;
  check(state, queues);
  return true;
}
template <>
Queue<Cuda>::Queue() : stream_(first_in_line()), exec_(static_cast<cudaStream_t>(stream_.get())) {}
template <>
void Queue<Cuda>::wait_for(const Event<Cuda>& event) const {
  check(cudaStreamWaitEvent(exec_.cuda_stream(), event_of(event), 0), queues);
}

std::string why_not_queue_counters() {
  const auto& [wait, set] = counter_calls();
  return wait != nullptr && set != nullptr ? "" : "the driver has no cuStreamWaitValue32";
}
void wait_for_counter(const std::uint32_t* counter, std::uint32_t value, void* stream) {
  start(counter_calls().wait, counter, value, CU_STREAM_WAIT_VALUE_GEQ, stream);
}
void set_counter(std::uint32_t* counter, std::uint32_t value, void* stream) {
  start(counter_calls().set, counter, value, CU_STREAM_WRITE_VALUE_DEFAULT, stream);
}

template <>
std::unique_ptr<LapClock> make_lap_clock(const Cuda& exec, const std::function<void()>& look) {
  return std::make_unique<CudaLapClock>(exec, look);
}

}  // namespace memstencil
