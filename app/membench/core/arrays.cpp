// Arrays of doubles that probes copy between, with a pattern that shows what was copied.
#include "app/membench/core/arrays.hpp"

#include "app/membench/core/probe.hpp"
#include "kernels/probes/array_copy.hpp"

#include <fmt/format.h>

namespace memstencil::membench {

const probes::PatternKernels& pattern_of(Executor executor) {
  return executor == Executor::Host ? probes::host_pattern() : probes::device_pattern();
}

std::uint64_t new_seed() {
  static std::uint64_t seed = 0;
  return ++seed << 40;
}

Array::Array(MemorySpace space, std::size_t bytes, Executor by)
    : buffer_(space, bytes / sizeof(double) * sizeof(double)), by_(by) {}

void Array::write(Executor by) {
  seed_ = new_seed();
  pattern_of(by).write(data(), count(), 1, seed_);
}

void Array::verify_copied(const Array& from, const std::string& title, Executor by) const {
  const std::size_t wrong = pattern_of(by).wrong(data(), count(), 1, from.seed());
  verify(wrong == 0,
         fmt::format("{}: {} of {} elements are not what was copied", title, wrong, count()));
}

CopyArray copy_by(Executor executor, bool paper) {
  if (executor == Executor::Device) return probes::device_copy;
  return paper ? probes::host_copy_plain : probes::host_copy_vectorised;
}

}  // namespace memstencil::membench
