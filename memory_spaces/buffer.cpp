// Buffer: ownership, and the fence before release. The allocators are the backend's.
#include "memory_spaces/buffer.hpp"

#include "memory_spaces/backend.hpp"
#include "memory_spaces/capabilities.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace memstencil {

namespace {

/// The name of our space: two of them may be one of Kokkos'.
auto space_of(const MemoryKind& kind) {
  return Kokkos::Profiling::make_space_handle(std::string(name(kind.space)).c_str());
}

void* allocated(const MemoryKind& kind, std::size_t bytes) {
  const backend::Row* const row = backend::row(kind);
  const std::string reason = row != nullptr ? why_not_pages(kind) : why_not_allocation(kind);
  if (!reason.empty()) throw UnsupportedSpace(reason);
  return row->allocate(kind, std::max<std::size_t>(bytes, 1));
}

}  // namespace

Buffer::Buffer(const MemoryKind& kind, std::size_t bytes, std::string label)
    : data_(allocated(kind, bytes), Release{kind, bytes, std::move(label)}) {
  Kokkos::Profiling::allocateData(space_of(kind), data_.get_deleter().label, data(), bytes);
}

bool Buffer::host_accessible() const { return !built_for_gpu() || home(space()) != Home::Gpu; }

void Buffer::Release::operator()(void* data) const noexcept {
  // A kernel may still be running on this memory, and unmapping host memory does not wait for it.
  // After an error of the device the fence throws; the error has been reported already.
  try {
    Kokkos::fence("memstencil: release of a buffer");
  } catch (const std::exception&) {
  }
  Kokkos::Profiling::deallocateData(space_of(kind), label, data, bytes);
  backend::row(kind)->release(data, bytes);
}

}  // namespace memstencil
