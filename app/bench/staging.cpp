// Staging: data go to the executor's memory, through a buffer where the first toucher cannot write
// it, and back to the host.
#include "app/bench/staging.hpp"

#include "kernels/streams.hpp"
#include "memory_spaces/capabilities.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace memstencil {

Staging::Staging(const Placement& placement, std::size_t bytes) : placement_(placement) {
  if (!support(placement.kind(), Executor::Host).served)
    buffer_.emplace(transfer_memory(placement.executor), bytes, "staging");
}

bool Staging::stages_first_touch() const {
  return buffer_ && placement_.first_touch == Executor::Host;
}

template <class T>
const T* Staging::download(const T* source, std::size_t count, Phases& phases) {
  return phases.time("download", [&]() -> const T* {
    if (buffer_) {
      copy(buffer_->data(), source, count * sizeof(T));
      return static_cast<const T*>(buffer_->data());
    }
    const std::vector<Stream<T>> all{{source, static_cast<std::int64_t>(count)}};
    volatile double sum = read_stream(Kokkos::DefaultHostExecutionSpace(), all);
    (void)sum;
    return source;
  });
}

template const float* Staging::download(const float*, std::size_t, Phases&);
template const double* Staging::download(const double*, std::size_t, Phases&);

}  // namespace memstencil
