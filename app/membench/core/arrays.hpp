// Arrays of doubles that probes copy between, with a pattern that shows what was copied.
#pragma once

#include "kernels/probes/pattern.hpp"
#include "memory_spaces/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace memstencil::membench {

const probes::PatternKernels& pattern_of(Executor executor);

/// The seed of a pattern that no array has had before in this process.
std::uint64_t new_seed();

/// An array, and who writes and checks its pattern.
class Array {
public:
  /// Untouched. `by` must reach the memory. @throws OutOfMemory, UnsupportedSpace
  Array(MemorySpace space, std::size_t bytes, Executor by);

  Buffer& buffer() { return buffer_; }
  double* data() const { return static_cast<double*>(buffer_.data()); }
  std::size_t count() const { return buffer_.bytes() / sizeof(double); }
  std::uint64_t seed() const { return seed_; }

  void write() { write(by_); }
  /// A pattern that it did not have before.
  void write(Executor by);
  /// @throws Failure(Verification) where an element is not `from`'s
  void verify_copied(const Array& from, const std::string& title) const {
    verify_copied(from, title, by_);
  }
  void verify_copied(const Array& from, const std::string& title, Executor by) const;

private:
  Buffer buffer_;
  Executor by_;
  std::uint64_t seed_ = 0;
};

/// The copy of an executor: the host's is vectorised, with --paper the thesis' own loop.
using CopyArray = void (*)(double* to, const double* from, std::size_t count);
CopyArray copy_by(Executor executor, bool paper);

}  // namespace memstencil::membench
