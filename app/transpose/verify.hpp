// Is the result right? Every element is compared, after the timed iterations and after one more.
#pragma once

#include "app/base/ranks/collectively.hpp"
#include "app/transpose/matrices.hpp"
#include "kernels/transpose/transpose.hpp"

#include <fmt/format.h>

#include <functional>
#include <string>

namespace memstencil::transpose {

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
