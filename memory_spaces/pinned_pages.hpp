// Host memory of the operating system that a GPU copies from and to while its kernels run.
#pragma once

#include "memory_spaces/buffer.hpp"

namespace memstencil {

/// Pins a buffer of system-allocated memory, which is used as host-pinned memory while this lives:
/// unlike that it can have huge pages. The buffer outlives it. On a host there is nothing to pin.
class PinnedPages {
public:
  explicit PinnedPages(const Buffer& buffer);
  ~PinnedPages();
  PinnedPages(const PinnedPages&) = delete;
  PinnedPages& operator=(const PinnedPages&) = delete;
  /// Did the driver pin it, and do kernels use the host's address?
  bool usable() const { return pinned_ != nullptr; }

private:
  void* pinned_ = nullptr;
};

}  // namespace memstencil
