// Staging: data go to the executor's memory, through a buffer where the first toucher cannot write
// it, and back to the host.
#pragma once

#include "app/bench/phases.hpp"
#include "app/bench/placement.hpp"
#include "memory_spaces/buffer.hpp"

#include <cstddef>
#include <optional>

namespace memstencil {

/// A pinned buffer of the host for device memory, through which it initialises arrays and reads
/// them; no buffer where it reaches the arrays' memory. One serves all arrays, one after the other.
class Staging {
public:
  /// Of the largest array's size.
  Staging(const Placement& placement, std::size_t bytes);

  /// Before the first touch by the executor that computes, and where prefetch is asked: has the
  /// pages made on its side, all at once and not one fault after the other. Waits for it.
  void prepare(const Buffer& buffer) const;
  /// The address where the executor of the first touch writes the data of `target`.
  void* touched(void* target) const;
  /// Brings it to the executor that computes: by copy where it was staged, by prefetch of `buffer`,
  /// in which `target` lies, where that is asked and another touched it first. Waits for it.
  void upload(const Buffer& buffer, void* target, std::size_t bytes) const;
  /// The `count` elements at `source` on pages of the host (phase "download"), until the next call.
  /// In every memory the host has them when it returns, so that wall times compare: by copy into
  /// the host's buffer, whose pages are made before the clock starts; otherwise all threads of the
  /// host read them where they lie: behind PCIe that brings managed pages back sooner than a
  /// prefetch (docs/probes/pages.md). Of float or double.
  template <class T>
  const T* download(const T* source, std::size_t count, Phases& phases);

  const std::optional<Buffer>& buffer() const { return buffer_; }
  /// Do data of the first touch pass through it?
  bool stages_first_touch() const;

private:
  bool touches_where_it_computes() const;

  Placement placement_;
  std::optional<Buffer> buffer_;
};

}  // namespace memstencil
