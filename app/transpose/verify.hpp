// Is the result right? One more iteration, every element of which is compared.
#pragma once

#include "app/transpose/transposer.hpp"

namespace memstencil::transpose {

/// Where the result of an iteration lies on this rank, and what it has to be.
template <class T>
struct Expected {
  matrix::Block block;
  matrix::Content content;
  T* data;
};

/// Fills what the iteration reads, poisons what it writes (with NaN where it adds nothing), runs one
/// iteration, and compares every element to the bit: the result, and A where it must be left alone.
/// Collective. @throws CollectiveFailure(Verification) naming the variant and a wrong element
template <class T>
Expected<T> verify(const Variant<T>& variant, const Setup& setup, const Distribution& part,
                   const Matrices<T>& matrices, const Transposer<T>& transposer,
                   const Communicator& communicator);

/// Compares every element on an executor that reaches `data`.
/// @throws Failure(Verification) naming a wrong element; `what` says what was verified
template <class T>
void compare(const Expected<T>& expected, const T* data, Executor executor, const std::string& what);

}  // namespace memstencil::transpose
