// The matrices of one rank: allocated in a memory space, touched first by an executor, brought
// to where they are transposed.
#pragma once

#include "app/bench/phases.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/staging.hpp"
#include "app/transpose/distribution.hpp"
#include "memory_spaces/buffer.hpp"

#include <cstddef>

namespace memstencil::transpose {

/// A and B. B has room for the rows of A, for the copy.
template <class T>
class Matrices {
public:
  /// Gives the driver its advice; touches nothing.
  Matrices(const Placement& placement, const Distribution& part);

  /// Fills both (phase "initialise"), by the executor of the first touch, and brings them to the
  /// executor (phase "upload").
  void initialise(Phases& phases);

  /// In which B lies, from its first byte on.
  const Buffer& memory_of_b() const { return b_; }
  T* a() const { return static_cast<T*>(a_.data()); }
  T* b() const { return static_cast<T*>(b_.data()); }

  /// The first `bytes` of B, on the host (phase "download"): Staging::download().
  const T* download(std::size_t bytes, Phases& phases);

private:
  void initialise(const Buffer& buffer, const matrix::Block& block, Phases& phases);

  Placement placement_;
  Distribution part_;
  Buffer a_, b_;
  Staging staging_;
};

/// Bytes of the whole rows of a block.
template <class T>
std::size_t bytes_of(const matrix::Block& block) {
  return static_cast<std::size_t>(block.rows * block.pitch) * sizeof(T);
}

}  // namespace memstencil::transpose
