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

}  // namespace

Buffer::Buffer(const MemoryKind& kind, std::size_t bytes, std::string label)
    : bytes_(bytes), kind_(kind), label_(std::move(label)) {
  const backend::Row* const row = backend::row(kind);
  const std::string reason = row != nullptr ? why_not_pages(kind) : why_not_allocation(kind);
  if (!reason.empty()) throw UnsupportedSpace(reason);
  data_ = row->allocate(std::max<std::size_t>(bytes, 1), kind.pages);
  Kokkos::Profiling::allocateData(space_of(kind_), label_, data_, bytes_);
}

Buffer::~Buffer() { release(); }

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      kind_(other.kind_),
      label_(std::move(other.label_)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    release();
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
    kind_ = other.kind_;
    label_ = std::move(other.label_);
  }
  return *this;
}

bool Buffer::host_accessible() const { return !built_for_gpu() || home(kind_.space) != Home::Gpu; }

void Buffer::release() noexcept {
  if (data_ == nullptr) return;
  // A kernel may still be running on this memory, and unmapping host memory does not wait for it.
  // After an error of the device the fence throws; the error has been reported already.
  try {
    Kokkos::fence("memstencil: release of a buffer");
  } catch (const std::exception&) {
  }
  Kokkos::Profiling::deallocateData(space_of(kind_), label_, data_, bytes_);
  backend::row(kind_)->release(data_, bytes_);
  data_ = nullptr;
}

}  // namespace memstencil
