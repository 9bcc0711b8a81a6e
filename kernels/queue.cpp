// Queues of kernels that run beside each other, and events by which they wait for each other.
#include "kernels/queue.hpp"

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <string>

namespace memstencil {

// On a host: one queue, and nothing to wait for.

template <class Exec>
void* stream_of(const Exec&) {
  return nullptr;
}
// Not "= default": nvcc would give the specialisations below that body, too.
template <class Exec>
Event<Exec>::Event() {}
template <class Exec>
void Event<Exec>::record(const Exec&) {}
template <class Exec>
bool Event<Exec>::complete() const {
  return true;
}
template <class Exec>
Queue<Exec>::Queue() {}
template <class Exec>
void Queue<Exec>::wait_for(const Event<Exec>&) const {}

template void* stream_of(const Kokkos::DefaultHostExecutionSpace&);
template class Event<Kokkos::DefaultHostExecutionSpace>;
template class Queue<Kokkos::DefaultHostExecutionSpace>;

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

using Kokkos::Cuda;

void check_queue(cudaError_t error) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("queues: ") + cudaGetErrorString(error));
}

std::shared_ptr<void> first_in_line() {
  int last = 0, first = 0;
  check_queue(cudaDeviceGetStreamPriorityRange(&last, &first));
  cudaStream_t stream = nullptr;
  check_queue(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, first));
  return {stream, [](void* s) { cudaStreamDestroy(static_cast<cudaStream_t>(s)); }};
}

cudaEvent_t event_of(const Event<Cuda>& event) { return static_cast<cudaEvent_t>(event.get()); }

}  // namespace

template <>
void* stream_of(const Cuda& queue) {
  return queue.cuda_stream();
}
template <>
Event<Cuda>::Event() {
  cudaEvent_t event = nullptr;
  check_queue(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  event_ = {event, [](void* e) { cudaEventDestroy(static_cast<cudaEvent_t>(e)); }};
}
template <>
void Event<Cuda>::record(const Cuda& queue) {
  check_queue(cudaEventRecord(event_of(*this), queue.cuda_stream()));
}
template <>
bool Event<Cuda>::complete() const {
  const cudaError_t state = cudaEventQuery(event_of(*this));
  cudaGetLastError();  // "not ready" stays behind as if it were an error
  if (state == cudaErrorNotReady) return false;
  check_queue(state);
  return true;
}
template <>
Queue<Cuda>::Queue() : stream_(first_in_line()), exec_(static_cast<cudaStream_t>(stream_.get())) {}
template <>
void Queue<Cuda>::wait_for(const Event<Cuda>& event) const {
  check_queue(cudaStreamWaitEvent(exec_.cuda_stream(), event_of(event), 0));
}

#endif

}  // namespace memstencil
