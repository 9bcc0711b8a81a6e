// Is the result right? One more iteration, every element of which is compared.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/transpose/matrices.hpp"
#include "kernels/transpose/transpose.hpp"

#include <functional>
#include <string>

namespace memstencil::transpose {

/// The place of an iteration's result on this rank, and its expected values.
template <class T>
struct Expected {
  matrix::Block block;
  matrix::Content content;
  T* data;
};

/// Fills what an iteration reads, poisons what it writes (with NaN where it adds nothing),
/// has it done by `iterate`, and compares every element to the bit: the result, and A where
/// it must be left alone. Collective.
/// @throws CollectiveFailure(Verification) naming the variant and a wrong element
template <class Exec, class T>
Expected<T> verify(const Exec& exec, Variant variant, Operation operation, const Distribution& part,
                   const Matrices<T>& matrices, const Communicator& communicator,
                   const std::function<void()>& iterate);

/// Compares every element; `exec` reaches `data`.
/// @throws Failure(Verification) naming a wrong element; `what` says what was verified
template <class Exec, class T>
void compare(const Exec& exec, const Expected<T>& expected, const T* data, const std::string& what);

}  // namespace memstencil::transpose
