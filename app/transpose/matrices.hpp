// The matrices of one rank: allocated in a memory space, touched first by an executor, brought
// to where they are transposed.
#pragma once

#include "app/base/runtime/execution.hpp"
#include "app/bench/memory_record.hpp"
#include "app/bench/phases.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/staging.hpp"
#include "app/transpose/distribution.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>
#include <cstddef>

namespace memstencil::transpose {

/// Bytes of the whole rows of a block.
template <class T>
std::size_t bytes_of(const matrix::Block& block) {
  return static_cast<std::size_t>(block.rows * block.pitch) * sizeof(T);
}

/// A and B. B has room for the rows of A, for the copy.
template <class T>
class Matrices {
public:
  /// Gives the driver its advice; touches nothing.
  Matrices(const Placement& placement, const Distribution& part)
      : part_(part),
        a_(placement.kind(), room(part.a()), "A"),
        b_(placement.mapped_kind(), room_for_result(), "B"),
        staging_(placement, room_for_result()) {
    for (const Buffer* each : {&a_, &b_}) advise(*each, placement.advice, placement.executor);
  }

  /// Fills both (phase "initialise"), by the executor of the first touch, and brings them to the
  /// executor (phase "upload").
  void initialise(Phases& phases) {
    initialise(a_, part_.a(), phases);
    initialise(b_, part_.b(), phases);
  }

  /// Adds the places of both matrices' pages to `places`, one of the two of `moves`.
  void look(PageMoves& moves, PageSides& places) const {
    for (const Buffer* each : {&a_, &b_}) moves.look(places, *each);
  }
  /// In which B lies, from its first byte on.
  const Buffer& memory_of_b() const { return b_; }
  T* a() const { return static_cast<T*>(a_.data()); }
  T* b() const { return static_cast<T*>(b_.data()); }

  /// The first `bytes` of B, on the host (phase "download"): Staging::download().
  const T* download(std::size_t bytes, Phases& phases) {
    return staging_.download(b(), bytes / sizeof(T), phases);
  }

private:
  std::size_t room(const matrix::Block& block) const {
    return static_cast<std::size_t>(part_.room(block));
  }
  /// The copy needs A's layout in B.
  std::size_t room_for_result() const { return std::max(room(part_.a()), room(part_.b())); }

  void initialise(const Buffer& buffer, const matrix::Block& block, Phases& phases) {
    staging_.touch(buffer, buffer.data(), bytes_of<T>(block), phases,
                   [&](const auto& exec, void* where) {
                     matrix::fill(exec, block, matrix::Content::A, static_cast<T*>(where));
                   });
  }

  Distribution part_;
  Buffer a_, b_;
  Staging staging_;
};

}  // namespace memstencil::transpose
