// A second expression of Himeno's update and of the values that its arrays start from, which shares
// no code with the sweeps: for the checks, on a host and on a GPU.
#pragma once

#include "kernels/portable.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace memstencil::himeno::second {

/// The numbers of the arrays, which their random values depend on.
enum Id { a0, a1, a2, a3, b0, b1, b2, c0, c1, c2, wrk1, pressure, bnd, ids };

/// a*b, rounded before anything is added to it.
MEMSTENCIL_FUNCTION float product(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

/// c + a*b with the executor's roundings.
template <bool fma>
MEMSTENCIL_FUNCTION float plus_product(float c, float a, float b) {
  if constexpr (fma) return std::fma(a, b, c);
  return c + product(a, b);
}

MEMSTENCIL_FUNCTION std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ x >> 30U) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27U) * 0x94D049BB133111EBU;
  return x ^ x >> 31U;
}

MEMSTENCIL_FUNCTION float standard(Id id, std::int64_t i, std::int64_t planes) {
  constexpr float sixth = static_cast<float>(1.0 / 6.0);
  constexpr float values[ids] = {1, 1, 1, sixth, 0, 0, 0, 1, 1, 1, 0, 0, 1};
  const std::int64_t last = planes - 1;
  return id == pressure ? static_cast<float>(i * i) / static_cast<float>(last * last) : values[id];
}

/// @param point its number in the whole grid
MEMSTENCIL_FUNCTION float random(Id id, std::uint64_t seed, std::uint64_t point, float around) {
  const std::uint64_t h =
      mixed(seed ^ static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15U ^ point);
  const float u = static_cast<float>(h >> 40U) * 0x1p-24F;
  if (id == bnd) return static_cast<double>(u) < 0.02 ? 0.0F : 1.0F;
  return around + product(0.01F, u - 0.5F);
}

/// The change of a point over omega: `at` is p there, c(id) its coefficients, and i, j, k the steps
/// to its neighbours.
template <bool fma, class Coefficient>
MEMSTENCIL_FUNCTION float residual(const float* at, const Coefficient& c, std::ptrdiff_t i,
                                   std::ptrdiff_t j, std::ptrdiff_t k) {
  float sum = product(c(a0), at[i]);
  sum = plus_product<fma>(sum, c(a1), at[j]);
  sum = plus_product<fma>(sum, c(a2), at[k]);
  sum = plus_product<fma>(sum, c(b0), at[i + j] - at[i - j] - at[-i + j] + at[-i - j]);
  sum = plus_product<fma>(sum, c(b1), at[j + k] - at[-j + k] - at[j - k] + at[-j - k]);
  sum = plus_product<fma>(sum, c(b2), at[i + k] - at[-i + k] - at[i - k] + at[-i - k]);
  sum = plus_product<fma>(sum, c(c0), at[-i]);
  sum = plus_product<fma>(sum, c(c1), at[-j]);
  sum = plus_product<fma>(sum, c(c2), at[-k]);
  sum += c(wrk1);
  return product(plus_product<fma>(-at[0], sum, c(a3)), c(bnd));
}

/// p after the sweep.
template <bool fma>
MEMSTENCIL_FUNCTION float updated(float p, float residual) {
  return plus_product<fma>(p, 0.8F, residual);
}

}  // namespace memstencil::himeno::second
