// What the link probe measures: arrays, copies inside host memory, and the check of every copy.
#include "app/membench/link/link_copies.hpp"

#include "app/common/clock.hpp"
#include "app/common/failure.hpp"
#include "kernels/probes/host_copy.hpp"

#include <fmt/format.h>

namespace memstencil::membench {

namespace {

/// A pattern that no array has had before in this process.
std::uint64_t new_seed() {
  static std::uint64_t seed = 0;
  return ++seed << 40;
}

LinkArray first_touched(const Buffer& buffer) {
  const auto& pattern =
      buffer.space() == MemorySpace::Device ? probes::device_pattern() : probes::host_pattern();
  const LinkArray array{static_cast<double*>(buffer.data()), &pattern};
  array.pattern->write(array.data, buffer.bytes() / sizeof(double), 1, new_seed());
  return array;
}

void verify(const Copy& copy, const Leg& leg, std::size_t count, std::uint64_t seed) {
  const std::size_t wrong = leg.to.pattern->wrong(leg.to.data, count, 1, seed);
  if (wrong == 0) return;
  throw Failure(ExitCode::Verification,
                fmt::format("{}, {} memory, by {}: {} of {} elements are not what was copied", copy.direction,
                            copy.memory, copy.by, wrong, count));
}

}  // namespace

ArrayPair::ArrayPair(MemorySpace space, std::size_t bytes)
    : buffers_{Buffer(space, bytes), Buffer(space, bytes)},
      first_(first_touched(buffers_[0])),
      second_(first_touched(buffers_[1])) {}

std::vector<Copy> host_copies(const ArrayPair& host, const std::string& memory, std::size_t bytes,
                              Kinds kinds) {
  const std::size_t count = bytes / sizeof(double);
  const auto copy_by = [&](const std::string& by, void (*loop)(double*, const double*, std::size_t)) {
    double* const to = host.second().data;
    const double* const from = host.first().data;
    return Copy{.direction = "host copy",
                .memory = memory,
                .by = by,
                .legs = {{host.first(), host.second()}},
                .bytes = bytes,
                .counted = 2.0 * static_cast<double>(bytes),
                .seconds = [=] { return host_seconds([=] { loop(to, from, count); }); }};
  };
  std::vector<Copy> copies{copy_by("loop", probes::host_copy_plain)};
  if (kinds == Kinds::All) copies.push_back(copy_by("vectorised", probes::host_copy_vectorised));
  return copies;
}

Samples measure(const Copy& copy, const Sampling& sampling) {
  const std::size_t count = copy.bytes / sizeof(double);
  std::vector<std::uint64_t> seeds;
  for (const Leg& leg : copy.legs) {
    seeds.push_back(new_seed());
    leg.from.pattern->write(leg.from.data, count, 1, seeds.back());
  }
  const Samples samples = sample(sampling, [&] { return copy.counted / copy.seconds() * 1e-9; });
  for (std::size_t n = 0; n < copy.legs.size(); ++n) verify(copy, copy.legs[n], count, seeds[n]);
  return samples;
}

}  // namespace memstencil::membench
