// Source and destination of a copy, each placed by the first touch of an executor, and what
// an experiment does with them.
#pragma once

#include "memory_spaces/memory_space.hpp"
#include "memory_spaces/residency.hpp"

#include <cstddef>
#include <functional>
#include <memory>

namespace memstencil::membench {

/// The operations of [tsukuba-thesis-2024], section 4.2. An interface, so that their order in a
/// probe can be tested without the machine that they are for.
class PlacedArrays {
public:
  virtual ~PlacedArrays() = default;
  /// First touch of both arrays, each by an executor (lists 4.4 and 4.5; random values in place of
  /// the lists' i % 10 and 0, so that no element of a destination is right before it was copied).
  virtual void touch(Executor source, Executor destination) = 0;
  /// One copy, source to destination; seconds by the host's clock around launch and wait (lists 4.6
  /// and 4.7; the host's loop is compiled without optimisation, as in section 4.1).
  virtual double copy(Executor by) = 0;
  /// Moves both arrays to the executor; seconds until they are there.
  virtual double prefetch(Executor to) = 0;
  /// Spoils the destination, copies once more and compares every element, all by the executor that
  /// has just copied: so no page moves that would not have moved anyway.
  /// @throws Failure(Verification)
  virtual void verify(Executor by) = 0;
  virtual Residency source_residency() const = 0;
  virtual Residency destination_residency() const = 0;
};

/// The allocations of an experiment.
struct ArraysWanted {
  MemorySpace space;
  std::size_t bytes;  ///< of each of the two; whole doubles
  Advice advice;      ///< preferred and accessed-by: both arrays, the GPU; read-mostly: the source
};

using MakeArrays = std::function<std::unique_ptr<PlacedArrays>(const ArraysWanted&)>;

/// In this machine's memory: allocated and advised, untouched.
/// @throws UnsupportedSpace; OutOfMemory where host or GPU has not room for both arrays, since each
///         may come to hold both
std::unique_ptr<PlacedArrays> make_placed_arrays(const ArraysWanted& wanted);

}  // namespace memstencil::membench
