// The vectorised copy of one core.
#include "kernels/host_stores.hpp"
#include "kernels/probes/array_copy.hpp"

#include <algorithm>
#include <cstdint>

namespace memstencil::probes {

namespace {

constexpr std::size_t line = line_bytes / sizeof(double);

/// Elements before the first whole line of the destination.
std::size_t before_line(const double* to) {
  const auto misaligned = reinterpret_cast<std::uintptr_t>(to) / sizeof(double) % line;
  return (line - misaligned) % line;
}

}  // namespace

void copy_row_streaming(double* to, const double* from, std::size_t count) {
  const std::size_t head = std::min(before_line(to), count);
  std::size_t n = 0;
  for (; n < head; ++n) to[n] = from[n];
  for (; n + line <= count; n += line) stream_line(to + n, from + n);
  for (; n < count; ++n) to[n] = from[n];
  finish_streaming();
}

}  // namespace memstencil::probes
