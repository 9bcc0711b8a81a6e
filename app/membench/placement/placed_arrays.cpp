// Source and destination of a copy in this machine's memory, and what an experiment does with them.
#include "app/membench/placement/placed_arrays.hpp"

#include "app/common/runtime/clock.hpp"
#include "app/membench/core/measuring.hpp"
#include "kernels/probes/array_copy.hpp"
#include "kernels/probes/pattern.hpp"
#include "memory_spaces/movement.hpp"

namespace memstencil::membench {

namespace {

/// The work of one executor on the arrays.
struct Kernels {
  const probes::PatternKernels* pattern;
  void (*copy)(double* to, const double* from, std::size_t count);
};

Kernels kernels(Executor executor) {
  if (executor == Executor::Host) return {&probes::host_pattern(), probes::host_copy_plain};
  return {&probes::device_pattern(), probes::device_copy};
}

/// An array of the pair; its random pattern, unlike the lists' 0 to 9, is no other array's.
struct Array {
  Buffer buffer;
  std::uint64_t seed;

  double* data() const { return static_cast<double*>(buffer.data()); }
  std::size_t count() const { return buffer.bytes() / sizeof(double); }
  void write(Executor by) const { kernels(by).pattern->write(data(), count(), 1, seed); }
};

class ArraysInMemory final : public PlacedArrays {
public:
  explicit ArraysInMemory(const ArraysWanted& wanted)
      : source_{Buffer(wanted.space, wanted.bytes), std::uint64_t{1} << 40},
        destination_{Buffer(wanted.space, wanted.bytes), std::uint64_t{2} << 40} {
    advise(source_.buffer, wanted.advice, Executor::Device);
    // Read-mostly is for data that are hardly written.
    if (wanted.advice != Advice::ReadMostly)
      advise(destination_.buffer, wanted.advice, Executor::Device);
  }

  void touch(Executor source, Executor destination) override {
    source_.write(source);
    destination_.write(destination);
  }
  double copy(Executor by) override {
    const Kernels k = kernels(by);
    return host_seconds([&] { k.copy(destination_.data(), source_.data(), source_.count()); });
  }
  double prefetch(Executor to) override {
    return host_seconds([&] {
      memstencil::prefetch(source_.buffer, to);
      memstencil::prefetch(destination_.buffer, to);
    });
  }
  void verify(Executor by) override {
    destination_.write(by);
    copy(by);
    const std::size_t wrong =
        kernels(by).pattern->wrong(destination_.data(), destination_.count(), 1, source_.seed);
    membench::verify(wrong == 0,
                     "a copy by the {} left {} of {} elements that are not the source's", name(by),
                     wrong, destination_.count());
  }
  Residency source_residency() const override { return residency(source_.buffer, asked_pages); }
  Residency destination_residency() const override {
    return residency(destination_.buffer, asked_pages);
  }

private:
  /// Enough to see a migration, and asking must not take as long as a copy.
  static constexpr std::size_t asked_pages = 4096;

  Array source_, destination_;
};

}  // namespace

std::unique_ptr<PlacedArrays> make_placed_arrays(const ArraysWanted& wanted) {
  // Whatever the space's own limit is, both arrays may come to lie on either side.
  require_memory(MemorySpace::SystemAllocated, 2 * wanted.bytes);
  require_memory(MemorySpace::Device, 2 * wanted.bytes);
  return std::make_unique<ArraysInMemory>(wanted);
}

}  // namespace memstencil::membench
