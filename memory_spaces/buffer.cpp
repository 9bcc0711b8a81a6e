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

Buffer::Buffer(MemorySpace space, std::size_t bytes, Pages pages) : bytes_(bytes), space_(space) {
  if (const std::string reason = why_not_pages(space, pages); !reason.empty())
    throw UnsupportedSpace(reason);
  data_ = backend::row(space).allocate(std::max<std::size_t>(bytes, 1), pages);
}

Buffer::~Buffer() { release(); }

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      space_(other.space_) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    release();
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
    space_ = other.space_;
  }
  return *this;
}

bool Buffer::host_accessible() const { return !built_for_gpu() || home(space_) != Home::Gpu; }

void Buffer::release() noexcept {
  if (data_ == nullptr) return;
  // A kernel may still be running on this memory, and unmapping host memory does not wait for it.
  // After an error of the device the fence throws; the error has been reported already.
  try {
    Kokkos::fence("memstencil: release of a buffer");
  } catch (const std::exception&) {
  }
  backend::row(space_).release(data_, bytes_);
  data_ = nullptr;
}

}  // namespace memstencil
