// A run's memory limit: a bandwidth that its executor gets from its memory, measured in the run.
#include "app/bench/limit.hpp"

#include "app/base/ranks/collectively.hpp"
#include "kernels/elapsed.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace memstencil {

namespace {

constexpr int trials = 5, measurements = 7;
/// A measurement lasts about as long or longer, so that starting it does not count.
constexpr double enough_seconds = 10e-3;

/// By the shortest of some trials: one that something interrupted would say that few are enough.
int enough_passes(const std::function<double(int)>& seconds_of_passes) {
  constexpr double most_passes = 1 << 16;
  for (int passes = 1;;) {
    double shortest = seconds_of_passes(passes);
    for (int n = 1; n < trials; ++n) shortest = std::min(shortest, seconds_of_passes(passes));
    if (shortest >= enough_seconds || passes >= most_passes) return passes;
    // Starts and ends weigh less in more passes, so the first guess may be too few.
    const double factor = std::max(1.1 * enough_seconds / std::max(shortest, 1e-9), 2.0);
    passes = static_cast<int>(std::min(std::ceil(passes * factor), most_passes));
  }
}

}  // namespace

Limit::Limit(std::string kind_of_samples, std::vector<double> samples)
    : kind(std::move(kind_of_samples)), samples_gbs(std::move(samples)) {
  const auto [least, most] = std::ranges::minmax(samples_gbs);
  gbs = most;
  disturbed = most >= 2 * least;
}

Limit measure(const std::string& kind, double bytes, const std::function<void()>& pass,
              const std::function<void()>& fence, const Communicator& communicator) {
  const double gigabytes = communicator.sum(bytes) * 1e-9;
  // On the slowest rank, by the host's clock from barrier to barrier: ranks that share a GPU take
  // turns on it, and its events would not say so.
  const auto seconds = [&](int passes) {
    fence();
    communicator.barrier();
    const double own = host_seconds([&] {
      for (int n = 0; n < passes; ++n) pass();
      fence();
      communicator.barrier();
    });
    return communicator.maximum(own);
  };
  pass();  // the first pass may move pages
  const int passes = enough_passes(seconds);
  std::vector<double> samples;
  for (int n = 0; n < measurements; ++n) samples.push_back(gigabytes * passes / seconds(passes));
  return {kind, std::move(samples)};
}

Limit measure_link(const void* source, std::size_t bytes, const std::function<void()>& fence,
                   const Communicator& communicator) {
  const Buffer target = collectively(communicator, [&] {
    return Buffer(MemorySpace::Device, std::clamp<std::size_t>(bytes, 1, link_bytes), "limit");
  });
  return measure(
      "link", static_cast<double>(target.bytes()),
      [&] { copy(target.data(), source, target.bytes()); }, fence, communicator);
}

}  // namespace memstencil
