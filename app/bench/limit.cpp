// The memory limit of a run: a bandwidth that its executor gets from its
// memory, measured in the run.
#include "app/bench/limit.hpp"

#include "kernels/elapsed.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>

namespace memstencil {

namespace {

constexpr int measurements = 7;
/// A measurement lasts at least this long, so that starting it does not count.
constexpr double shortest_seconds = 10e-3;

/// Seconds of one pass on the slowest rank, repeated until the measurement is long enough; the next
/// one starts with as many passes. By the host's clock from barrier to barrier: ranks that share a
/// GPU take turns on it, and its events would not say so.
double seconds_of(const std::function<void()>& pass, const std::function<void()>& fence,
                  const Communicator& communicator, int& passes) {
  constexpr int most_passes = 1 << 16;
  for (;; passes *= 4) {
    fence();
    communicator.barrier();
    const double own = host_seconds([&] {
      for (int n = 0; n < passes; ++n) pass();
      fence();
      communicator.barrier();
    });
    const double slowest = communicator.maximum(own);
    if (slowest >= shortest_seconds || passes >= most_passes) return slowest / passes;
  }
}

}  // namespace

Limit measure(const Ceiling& ceiling, const std::function<void()>& fence,
              const Communicator& communicator) {
  const double bytes = communicator.sum(ceiling.bytes);
  Limit limit{.kind = ceiling.kind, .samples = {}};
  ceiling.pass();  // the first pass may move pages
  int passes = 1;
  for (int n = 0; n < measurements; ++n)
    limit.samples.push_back(bytes / seconds_of(ceiling.pass, fence, communicator, passes));
  limit.bytes_per_second = *std::max_element(limit.samples.begin(), limit.samples.end());
  return limit;
}

Ceiling link_ceiling(const Buffer& target, const void* source) {
  return {"link", static_cast<double>(target.bytes()),
          [&target, source] { copy(target.data(), source, target.bytes()); }};
}

}  // namespace memstencil
