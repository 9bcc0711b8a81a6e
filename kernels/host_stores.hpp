// Stores of whole cache lines past the caches, for host kernels that
// write more than the caches hold.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace memstencil {

/// Bytes of a cache line: what one streaming store writes, and one AVX-512 register.
inline constexpr int line_bytes = 64;

/// The kind of store. Streaming writes whole lines past the caches: right for an array that will
/// not be read again before it would have been evicted, wrong for one that fits the caches. Other
/// cores see streamed values after finish_streaming() only.
enum class Stores { Cached, Streaming };

/// Writes one line, `to` at its start; `line` may stand anywhere. An ordinary store if
/// the processor has no other.
inline __attribute__((always_inline)) void stream_line(void* to, const void* line) {
#if defined(__SSE2__)
  auto* const out = static_cast<float*>(to);
  const auto* const in = static_cast<const float*>(line);
#if defined(__AVX512F__)
  _mm512_stream_ps(out, _mm512_loadu_ps(in));
#elif defined(__AVX__)
  for (int n = 0; n < 16; n += 8) _mm256_stream_ps(out + n, _mm256_loadu_ps(in + n));
#else
  for (int n = 0; n < 16; n += 4) _mm_stream_ps(out + n, _mm_loadu_ps(in + n));
#endif
#else
  std::memcpy(to, line, line_bytes);
#endif
}

/// Does a line begin here?
inline bool starts_line(const void* at) {
  return reinterpret_cast<std::uintptr_t>(at) % line_bytes == 0;
}

/// Copies `count` elements, whole lines of `to` past the caches.
template <class T>
void stream_elements(T* to, const T* from, std::int64_t count) {
  constexpr std::int64_t line = line_bytes / sizeof(T);
  std::int64_t n = 0;
  for (; n < count && !starts_line(to + n); ++n) to[n] = from[n];
  for (; n + line <= count; n += line) stream_line(to + n, from + n);
  for (; n < count; ++n) to[n] = from[n];
}

/// Makes this thread's streamed stores visible: to be called by each thread after its last line.
inline void finish_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace memstencil
