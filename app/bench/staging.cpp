// Staging: data go to the executor's memory, through a buffer where the first toucher cannot write
// it, and back to the host.
#include "app/bench/staging.hpp"

#include "kernels/read_stream.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace memstencil {

Staging::Staging(const Placement& placement, std::size_t bytes)
    : placement_(placement), has_pages_(placement.first_touch == Executor::Host) {
  if (support(placement.space, Executor::Host).served) return;
  buffer_.emplace(has_pages_ ? MemorySpace::HostPinned : MemorySpace::SystemAllocated, bytes);
}

/// By all threads: the copy would have them made by one.
void Staging::touch_pages() {
  constexpr std::size_t page = 4096;  // the smallest there is
  auto* const bytes = static_cast<unsigned char*>(buffer_->data());
  using Host = Kokkos::DefaultHostExecutionSpace;
  Kokkos::parallel_for("staging: touch pages",
                       Kokkos::RangePolicy<Host>(0, (buffer_->bytes() + page - 1) / page),
                       [=](const std::size_t n) { bytes[n * page] = 0; });
  Kokkos::fence("staging: touch pages");
  has_pages_ = true;
}

bool Staging::stages_first_touch() const {
  return buffer_ && placement_.first_touch == Executor::Host;
}

bool Staging::touches_where_it_computes() const {
  return placement_.first_touch == placement_.executor;
}

void* Staging::touched(void* target) const {
  return stages_first_touch() ? buffer_->data() : target;
}

void Staging::prepare(const Buffer& buffer) const {
  if (placement_.prefetch && touches_where_it_computes()) prefetch(buffer, placement_.executor);
}

void Staging::upload(const Buffer& buffer, void* target, std::size_t bytes) const {
  if (stages_first_touch()) copy(target, buffer_->data(), bytes);
  if (placement_.prefetch && !touches_where_it_computes()) prefetch(buffer, placement_.executor);
}

template <class T>
const T* Staging::download(const Buffer& buffer, const T* source, std::size_t count,
                           Phases& phases) {
  if (buffer_ && !has_pages_) touch_pages();
  return phases.time("download", [&]() -> const T* {
    if (buffer_) {
      copy(buffer_->data(), source, count * sizeof(T));
      return static_cast<const T*>(buffer_->data());
    }
    if (placement_.prefetch) {
      prefetch(buffer, Executor::Host);
    } else {
      const std::vector<Stream<T>> all{{source, static_cast<std::int64_t>(count)}};
      volatile double sum = read_stream(Kokkos::DefaultHostExecutionSpace(), all);
      (void)sum;
    }
    return source;
  });
}

template const float* Staging::download(const Buffer&, const float*, std::size_t, Phases&);
template const double* Staging::download(const Buffer&, const double*, std::size_t, Phases&);

}  // namespace memstencil
