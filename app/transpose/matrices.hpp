// The matrices of one rank: allocated in a memory space, touched first by an executor, brought
// to where they are transposed.
#pragma once

#include "app/base/runtime/phases.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/staging.hpp"
#include "app/transpose/distribution.hpp"
#include "kernels/transpose/transpose.hpp"
#include "memory_spaces/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace memstencil::transpose {

/// A, and B unless A is transposed in place.
template <class T>
class Matrices {
public:
  /// Room for this shape and all smaller ones. Gives the driver its advice; touches nothing.
  Matrices(const Placement& placement, const Distribution& largest, bool in_place);

  /// Fills A, and B with B0 (phase "initialise"), by the executor of the first touch, and brings
  /// them to the executor (phase "upload"). Where the copy adds to B, in A's layout, what that
  /// takes beyond B's own is filled, too.
  void initialise(const Distribution& part, Operation operation, Phases& phases);

  /// In which B lies, from its first byte on; not in place.
  const Buffer& memory_of_b() const { return *b_; }
  T* a() const { return static_cast<T*>(a_.data()); }
  /// The matrix of the result: B, or A in place. It has room for the rows of A, for the copy.
  T* b() const { return b_ ? static_cast<T*>(b_->data()) : a(); }

  /// The result's first `bytes` from `data` on, on the host (phase "download"):
  /// Staging::download().
  const T* download(const T* data, std::size_t bytes, Phases& phases);

private:
  /// And `beyond` elements behind the block.
  void initialise(const Buffer& buffer, const matrix::Block& block, matrix::Content content,
                  std::int64_t beyond, Phases& phases);

  Placement placement_;
  Buffer a_;
  std::optional<Buffer> b_;
  Staging staging_;
};

/// Bytes of the whole rows of a block.
template <class T>
std::size_t bytes_of(const matrix::Block& block) {
  return static_cast<std::size_t>(block.rows * block.pitch) * sizeof(T);
}

}  // namespace memstencil::transpose
