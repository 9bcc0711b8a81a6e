// A second queue of kernels beside the first, and marks by which queues wait for each other.
#include "kernels/second_queue.hpp"

#include "kernels/on_host.hpp"
#include "kernels/portable.hpp"

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <string>

namespace memstencil {

namespace {

#if defined(KOKKOS_ENABLE_CUDA)

void check_queue(cudaError_t error) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("second queue: ") + cudaGetErrorString(error));
}

std::shared_ptr<void> first_in_line() {
  int last = 0, first = 0;
  check_queue(cudaDeviceGetStreamPriorityRange(&last, &first));
  cudaStream_t stream = nullptr;
  check_queue(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, first));
  return {stream, [](void* s) { cudaStreamDestroy(static_cast<cudaStream_t>(s)); }};
}

cudaEvent_t event_of(const std::shared_ptr<void>& event) {
  return static_cast<cudaEvent_t>(event.get());
}

#endif

}  // namespace

template <class Exec>
SecondQueue<Exec>::SecondQueue() {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!on_host<Exec>) {
    stream_ = first_in_line();
    exec_ = Exec(static_cast<cudaStream_t>(stream_.get()));
  }
#endif
}

template <class Exec>
void* stream_of([[maybe_unused]] const Exec& queue) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!on_host<Exec>) return queue.cuda_stream();
#endif
  return nullptr;
}

template <class Exec>
QueueMark<Exec>::QueueMark() {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!on_host<Exec>) {
    cudaEvent_t event = nullptr;
    check_queue(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    event_ = {event, [](void* e) { cudaEventDestroy(static_cast<cudaEvent_t>(e)); }};
  }
#endif
}

template <class Exec>
void QueueMark<Exec>::set([[maybe_unused]] const Exec& queue) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!on_host<Exec>) check_queue(cudaEventRecord(event_of(event_), queue.cuda_stream()));
#endif
}

template <class Exec>
void QueueMark<Exec>::hold([[maybe_unused]] const Exec& queue) const {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!on_host<Exec>)
    check_queue(cudaStreamWaitEvent(queue.cuda_stream(), event_of(event_), 0));
#endif
}

template <class Exec>
bool QueueMark<Exec>::reached() const {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!on_host<Exec>) {
    const cudaError_t state = cudaEventQuery(event_of(event_));
    cudaGetLastError();  // "not ready" stays behind as if it were an error
    if (state == cudaErrorNotReady) return false;
    check_queue(state);
  }
#endif
  return true;
}

#define MEMSTENCIL_INSTANTIATE(Exec)     \
  template class SecondQueue<Exec>;      \
  template void* stream_of(const Exec&); \
  template class QueueMark<Exec>;
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil
