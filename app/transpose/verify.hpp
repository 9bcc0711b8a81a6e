// Is the result right? One more iteration, every element of which is compared.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/transpose/matrices.hpp"
#include "kernels/transpose/transpose.hpp"

#include <functional>
#include <string>

namespace memstencil::transpose {

/// An iteration's result in B, and its expected values.
struct Expected {
  matrix::Block block;
  matrix::Content content;
};

/// Fills B with NaN, has the iteration done, and compares every element to the bit: B, and A, which
/// must be left alone. Collective.
/// @throws CollectiveFailure(Verification) naming the variant and a wrong element
template <class Exec, class T>
Expected verify(const Exec& exec, Variant variant, const Distribution& part,
                const Matrices<T>& matrices, const Communicator& communicator,
                const std::function<void()>& iterate);

/// Compares every element; `exec` reaches `data`.
/// @throws Failure(Verification) naming a wrong element; `what` says what was verified
template <class Exec, class T>
void compare(const Exec& exec, const Expected& expected, const T* data, const std::string& what);

}  // namespace memstencil::transpose
