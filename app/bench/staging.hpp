// Staging: data go to the executor's memory, through a buffer where the first toucher cannot write
// it, and back to the host.
#pragma once

#include "app/base/runtime/execution.hpp"
#include "app/bench/phases.hpp"
#include "app/bench/placement.hpp"
#include "kernels/streams.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace memstencil {

/// A pinned buffer of the host for device memory, through which it initialises arrays and reads
/// them; no buffer where it reaches the arrays' memory. One serves all arrays, one after the other.
class Staging {
public:
  /// Of the largest array's size.
  Staging(const Placement& placement, std::size_t bytes) : placement_(placement) {
    if (!support(placement.kind(), Executor::Host).served)
      buffer_.emplace(transfer_memory(placement.executor), bytes, "staging");
  }

  /// Has the executor of the first touch write the bytes at `target` in `buffer` (phase
  /// "initialise"), and brings them to the executor that computes (phase "upload"): by copy where
  /// they are staged, by prefetch of the buffer where that is asked; before, if the executor that
  /// computes touches them first: so its pages are made all at once, and not one fault after the
  /// other. Waits for it.
  /// @param fill (exec, address) writes them there, and waits for it
  template <class Fill>
  void touch(const Buffer& buffer, void* target, std::size_t bytes, Phases& phases,
             const Fill& fill) const {
    const bool by_who_computes = placement_.first_touch == placement_.executor;
    phases.time("upload", [&] {
      if (placement_.prefetch && by_who_computes) prefetch(buffer, placement_.executor);
    });
    phases.time("initialise", [&] {
      with_execution_space(placement_.first_touch, [&](const auto& exec) {
        fill(exec, stages_first_touch() ? buffer_->data() : target);
      });
    });
    phases.time("upload", [&] {
      if (stages_first_touch()) copy(target, buffer_->data(), bytes);
      if (placement_.prefetch && !by_who_computes) prefetch(buffer, placement_.executor);
    });
  }
  /// The `count` elements at `source` on pages of the host (phase "download"), until the next call.
  /// In every memory the host has them when it returns, so that wall times compare: by copy into
  /// the host's buffer, whose pages are made before the clock starts; otherwise all threads of the
  /// host read them where they lie: behind PCIe that brings managed pages back sooner than a
  /// prefetch (docs/probes/pages.md).
  template <class T>
  const T* download(const T* source, std::size_t count, Phases& phases) {
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

  const std::optional<Buffer>& buffer() const { return buffer_; }
  /// Do data of the first touch pass through it?
  bool stages_first_touch() const { return buffer_ && placement_.first_touch == Executor::Host; }

private:
  Placement placement_;
  std::optional<Buffer> buffer_;
};

}  // namespace memstencil
