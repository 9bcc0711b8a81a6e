// The memory limit of a run: the bandwidth that its executor gets from its memory, measured on the
// run's own arrays.
#include "app/himeno/limit.hpp"

#include "app/himeno/fields.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>

namespace memstencil::himeno {

namespace {

constexpr int measurements = 7;
/// A measurement lasts at least this long, so that starting it does not count.
constexpr double shortest_seconds = 10e-3;

/// Seconds of one pass on the slowest rank, repeated until the measurement is long enough. By the host's
/// clock from barrier to barrier: ranks that share a GPU take turns on it, and its events would not say so.
double seconds_of(const std::function<void()>& pass, const Kernels& k, const Communicator& communicator) {
  constexpr int most_passes = 1 << 16;
  for (int passes = 1;; passes *= 4) {
    k.fence();
    communicator.barrier();
    const auto start = std::chrono::steady_clock::now();
    for (int n = 0; n < passes; ++n) pass();
    k.fence();
    communicator.barrier();
    std::array<double, 1> slowest{
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
    communicator.maximum(slowest);
    if (slowest[0] >= shortest_seconds || passes >= most_passes) return slowest[0] / passes;
  }
}

/// The bytes of one pass, and the pass.
struct Ceiling {
  std::string kind;
  double bytes;
  std::function<void()> pass;
};

Ceiling read_ceiling(const Fields& fields, const jacobi::Grid& grid, const Kernels& k) {
  const auto count = static_cast<std::int64_t>(grid.floats());
  return {"read stream",
          static_cast<double>(count) * sizeof(float) * static_cast<double>(jacobi::array_names.size()),
          [&fields, &k, count] {
            volatile double sum = k.read_stream(fields.arrays(), count);
            (void)sum;
          }};
}

/// Five pairs of coefficient arrays, so that no cache holds what the next copy reads.
Ceiling copy_ceiling(const Fields& fields, const jacobi::Grid& grid, const Kernels& k) {
  const auto count = static_cast<std::int64_t>(grid.floats());
  constexpr std::size_t pairs = 5;
  return {"copy", 2.0 * pairs * static_cast<double>(count) * sizeof(float), [&fields, &k, count] {
            for (std::size_t n = 0; n < pairs; ++n)
              k.copy_stream(fields.scratch(2 * n), fields.scratch(2 * n + 1), count);
          }};
}

Ceiling link_ceiling(const Fields& fields, const Buffer& target) {
  return {"link", static_cast<double>(target.bytes()),
          [&fields, &target] { copy(target.data(), fields.scratch(0), target.bytes()); }};
}

}  // namespace

Limit measure_limit(const Fields& fields, const jacobi::Grid& grid, const Placement& placement,
                    const Communicator& communicator) {
  const Kernels& k = kernels(placement.executor);
  std::unique_ptr<Buffer> link_target;
  Ceiling ceiling;
  if (placement.executor == Executor::Host) {
    ceiling = read_ceiling(fields, grid, k);
  } else if (reached_over_link(placement.space, placement.executor)) {
    constexpr std::size_t enough = std::size_t{1} << 28;
    link_target =
        std::make_unique<Buffer>(MemorySpace::Device, std::min(grid.floats() * sizeof(float), enough));
    ceiling = link_ceiling(fields, *link_target);
  } else {
    ceiling = copy_ceiling(fields, grid, k);
  }
  std::array<double, 1> bytes{ceiling.bytes};
  communicator.sum(bytes);
  Limit limit{.kind = ceiling.kind, .samples = {}};
  ceiling.pass();  // the first pass may move pages
  for (int n = 0; n < measurements; ++n)
    limit.samples.push_back(bytes[0] / seconds_of(ceiling.pass, k, communicator));
  limit.bytes_per_second = *std::max_element(limit.samples.begin(), limit.samples.end());
  return limit;
}

}  // namespace memstencil::himeno
