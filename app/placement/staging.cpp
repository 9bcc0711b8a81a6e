// How data reach memory that its first toucher cannot write, and how the host reads them again.
#include "app/placement/staging.hpp"

#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

namespace memstencil {

Staging::Staging(const Placement& placement, std::size_t bytes) : placement_(placement) {
  if (!support(placement.space, Executor::Host).served) buffer_.emplace(MemorySpace::HostPinned, bytes);
}

bool Staging::stages_first_touch() const { return buffer_ && placement_.first_touch == Executor::Host; }

bool Staging::touches_where_it_computes() const { return placement_.first_touch == placement_.executor; }

void* Staging::touched(void* target) const { return stages_first_touch() ? buffer_->data() : target; }

void Staging::prepare(const Buffer& buffer) const {
  if (placement_.prefetch && touches_where_it_computes()) prefetch(buffer, placement_.executor);
}

void Staging::upload(const Buffer& buffer, void* target, std::size_t bytes) const {
  if (stages_first_touch()) copy(target, buffer_->data(), bytes);
  if (placement_.prefetch && !touches_where_it_computes()) prefetch(buffer, placement_.executor);
}

const void* Staging::download(const void* source, std::size_t bytes) const {
  if (!buffer_) return source;
  copy(buffer_->data(), source, bytes);
  return buffer_->data();
}

}  // namespace memstencil
