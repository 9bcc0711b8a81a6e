// The copies that probe link measures: between arrays of doubles, each verified.
#pragma once

#include "app/membench/core/measuring.hpp"
#include "kernels/probes/pattern.hpp"
#include "memory_spaces/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace memstencil::membench::link_probe {

/// An array of doubles, and who writes and checks it.
struct LinkArray {
  double* data;
  const probes::PatternKernels* pattern;
};

/// Source and destination of the copies inside a memory, or this memory's
/// part in those over the link.
class ArrayPair {
public:
  /// Allocated and first touched, by the host or, in device memory, by the device.
  /// @throws OutOfMemory, UnsupportedSpace
  ArrayPair(MemorySpace space, std::size_t bytes);
  const LinkArray& first() const { return first_; }
  const LinkArray& second() const { return second_; }

private:
  Buffer buffers_[2];
  LinkArray first_, second_;
};

/// The seed of a pattern that no array of these probes has had before in this process.
std::uint64_t new_seed();

/// From one array to another.
struct Leg {
  LinkArray from, to;
};

/// One kind of copy of arrays of so many bytes.
struct Copy {
  std::string direction, memory, by;  ///< values of the measurement's parameters
  std::vector<Leg> legs;              ///< two: both at once
  std::size_t bytes;                  ///< of each array
  double counted;                     ///< bytes that one run of the copy counts
  std::function<double()> seconds;    ///< runs it once

  std::string title() const;
};

/// The kinds of copy that are measured: those of the thesis alone, or all.
enum class Kinds { Thesis, All };

/// Copies inside host memory by the host's threads.
std::vector<Copy> host_copies(const ArrayPair& host, const std::string& memory, std::size_t bytes,
                              Kinds kinds);

/// Samples the copy in GB/s. Before, the sources get a random pattern that the destinations do not
/// have; after, every element is compared.
/// @throws Failure(Verification)
Samples measure(const Copy& copy, const Sampling& sampling);

}  // namespace memstencil::membench::link_probe
