// The vectorised copy of one core.
#include "kernels/probes/host_copy_rows.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstdint>

namespace memstencil::probes {

namespace {

constexpr std::size_t line = 8;  ///< doubles of a cache line

/// One line, its destination aligned to 64 bytes.
inline void copy_line(double* to, const double* from) {
#if defined(__AVX512F__)
  _mm512_stream_pd(to, _mm512_loadu_pd(from));
#elif defined(__AVX__)
  for (std::size_t l = 0; l < line; l += 4) _mm256_stream_pd(to + l, _mm256_loadu_pd(from + l));
#elif defined(__SSE2__)
  for (std::size_t l = 0; l < line; l += 2) _mm_stream_pd(to + l, _mm_loadu_pd(from + l));
#else
  // Arm cores detect streams of whole lines and do not read them first.
#pragma omp simd
  for (std::size_t l = 0; l < line; ++l) to[l] = from[l];
#endif
}

/// Elements before the first whole line of the destination.
std::size_t before_line(const double* to) {
  const auto misaligned = reinterpret_cast<std::uintptr_t>(to) / sizeof(double) % line;
  return (line - misaligned) % line;
}

}  // namespace

void copy_row_streaming(double* to, const double* from, std::size_t count) {
  std::size_t n = 0;
  for (const std::size_t head = std::min(before_line(to), count); n < head; ++n) to[n] = from[n];
  for (; n + line <= count; n += line) copy_line(to + n, from + n);
  for (; n < count; ++n) to[n] = from[n];
#if defined(__SSE2__)
  _mm_sfence();  // streamed values are seen by other cores after this
#endif
}

}  // namespace memstencil::probes
