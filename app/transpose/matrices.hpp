// The matrices of one rank: allocated in a memory space, touched first by an executor, brought
// to where they are transposed; and the check of every element.
#pragma once

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/bench/memory_record.hpp"
#include "app/bench/phases.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/staging.hpp"
#include "app/transpose/distribution.hpp"
#include "kernels/transpose/transpose.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>

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

/// An iteration's result in B, and its expected values.
struct Expected {
  matrix::Block block;
  matrix::Content content;
};

/// Compares every element; `exec` reaches `data`.
/// @throws Failure(Verification) naming a wrong element; `what` names the result
template <class Exec, class T>
void compare(const Exec& exec, const Expected& expected, const T* data, const std::string& what) {
  const matrix::Block& block = expected.block;
  const matrix::Wrong wrong = matrix::check(exec, block, expected.content, data);
  if (wrong.count == 0) return;
  T found{};
  copy(&found, data + wrong.row * block.pitch + wrong.column, sizeof(T));
  throw Failure(
      ExitCode::Verification,
      fmt::format(
          "verification failed: {}: element ({}, {}) is {}, not {}; {} of {} elements are wrong",
          what, block.first_row + wrong.row, block.first_column + wrong.column, found,
          matrix::value<T>(block, expected.content, wrong.row, wrong.column), wrong.count,
          block.rows * block.columns));
}

/// Compares every element to the bit: B as the timed iterations left it, and after one more that
/// follows another, between which `spoil()` fills B with NaN; and A, which must be left alone.
/// Collective.
/// @param iterate (spoil) makes these two
/// @throws CollectiveFailure(Verification) naming the variant and a wrong element
template <class Exec, class T>
Expected verify(const Exec& exec, Variant variant, const Distribution& part,
                const Matrices<T>& matrices, const Communicator& communicator,
                const std::function<void(const std::function<void()>& spoil)>& iterate) {
  using matrix::Content;
  const std::string what = fmt::format("{} of {}", name(variant), size_name(part.shape));
  const bool copies = variant == Variant::Copy;
  const Expected result{copies ? part.a() : part.b(), copies ? Content::A : Content::Transposed};
  collectively(communicator,
               [&] { compare<Exec, T>(exec, result, matrices.b(), what + ", timed"); });
  iterate([&] {
    exec.fence("transpose: verification");
    communicator.barrier();  // others have stored theirs into this rank's B
    collectively(communicator, [&] { fill(matrices.b(), 0xFF, bytes_of<T>(result.block)); });
  });
  collectively(communicator, [&] {
    compare<Exec, T>(exec, result, matrices.b(), what);
    compare<Exec, T>(exec, {part.a(), Content::A}, matrices.a(), what + ", in A");
  });
  return result;
}

}  // namespace memstencil::transpose
