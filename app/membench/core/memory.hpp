// Memory of the probes: asked for before it is allocated, and arrays whose pattern shows copies.
#pragma once

#include "app/membench/core/probe.hpp"
#include "kernels/probes/arrays.hpp"
#include "memory_spaces/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::membench {

/// Call before allocating. Spaces that share a memory have to be asked about with their sum.
/// @throws Failure(Machine) with the needed and the available bytes
void require_memory(const MemoryKind& kind, std::size_t bytes);

/// Leaves the point out, with the reason, if the executor does not get such memory.
void require_access(State& state, const MemoryKind& kind, Executor by);
/// The same if an array of `bytes` cannot have its pages.
void require_pages(State& state, const MemoryKind& kind, std::size_t bytes);

/// The host's memory is taken from this NUMA node from here on, by all threads that start later.
/// @throws Failure(Machine) if there is no such node
void take_memory_from_node(int node);
/// The NUMA nodes that have memory, and the CPUs of one that this process may run on.
std::vector<int> memory_nodes();
std::vector<int> cpus_of_node(int node);
/// Seconds of an array's parts, one on each of these CPUs, at once. @throws Failure(Machine) if
/// a CPU is refused
double seconds_on(const std::vector<int>& cpus, std::size_t count, const probes::OfPart& of_part);

const probes::PatternKernels& pattern_of(Executor executor);

/// The seed of a pattern that no array has had before in this process.
std::uint64_t new_seed();

/// An array of doubles. Its pattern is written and checked by the GPU if the memory is the
/// GPU's alone, otherwise by the host, or by the executor that the caller names.
class Array : public Buffer {
public:
  /// Untouched. @throws OutOfMemory, UnsupportedSpace
  Array(const MemoryKind& kind, std::size_t bytes);

  double* data() const { return static_cast<double*>(Buffer::data()); }
  std::size_t count() const { return bytes() / sizeof(double); }
  std::uint64_t seed() const { return seed_; }

  /// A pattern that it did not have before.
  void write(std::optional<Executor> by = {});
  /// The words of its pattern, added up modulo 2^64; no memory is read.
  std::uint64_t sum() const;
  /// @throws Failure(Verification) if an element is not `from`'s; one that is shorter was
  /// repeated
  void verify_copied(const Array& from, const std::string& title,
                     std::optional<Executor> by = {}) const;

private:
  Executor owner_;
  std::uint64_t seed_ = 0;
};

/// A thing that points share as long as they are alike, such as arrays of one size.
template <class T>
class Shared {
public:
  /// The last one, or `make(key)` if that was another key's; the last one is gone before.
  template <class Make>
  T& of(const std::string& key, const Make& make) {
    if (thing_ == nullptr || key != of_) {
      thing_.reset();
      thing_ = make();
      of_ = key;
    }
    return *thing_;
  }

private:
  std::string of_;
  std::unique_ptr<T> thing_;
};

/// The start of a probe whose points of one experiment share a T.
template <class T, void (*Measure)(State&, T&)>
Point each_sharing() {
  const auto shared = std::make_shared<T>();
  return [shared](State& state) { Measure(state, *shared); };
}

/// Bytes of arrays that a kernel copies by whole elements of 16 bytes.
inline std::size_t whole_pairs(const Row& row) { return row.bytes() / 16 * 16; }

}  // namespace memstencil::membench
