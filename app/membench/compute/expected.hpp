// The expected results of probes warp and registers, computed on the host.
#pragma once

#include "kernels/probes/warp_fft.hpp"
#include "kernels/probes/warp_sum.hpp"

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace memstencil::membench {

/// Sum number `sums` (the first is number 0) of a group of so many threads, of which
/// thread t has the value t % 7: each is the sum of these, and `carry` times the one
/// before. Integers modulo 2^32.
template <class T>
T expected_sum(int threads, int sums, T carry) {
  using Wide = std::conditional_t<std::is_same_v<T, int>, std::uint32_t, double>;
  Wide own = 0;
  for (int t = 0; t < threads; ++t) own += static_cast<Wide>(t % 7);
  Wide sum = own;
  for (int k = 0; k < sums; ++k) sum = own + static_cast<Wide>(carry) * sum;
  return static_cast<T>(sum);
}

/// The tolerance of a sum: integers are exact; floats may have been added in any order.
inline double allowed_error(int) { return 0; }
inline double allowed_error(float expected) {
  return 1e-5 * std::abs(static_cast<double>(expected));
}

/// Probe warp's numbers of a warp's lanes after so many transforms (kernels/probes/warp_fft.hpp):
/// by the sum that defines a transform, in double, without butterflies.
inline std::vector<std::complex<double>> expected_fft(int transforms) {
  constexpr int points = probes::fft_points;
  std::vector<std::complex<double>> x, root;
  for (int n = 0; n < points; ++n) {
    const probes::Complex start = probes::fft_start(n);
    x.emplace_back(start.re, start.im);
    root.push_back(std::polar(1 / std::sqrt(points), -2 * std::numbers::pi * n / points));
  }
  const auto reversed = [](int lane) {
    return (lane & 1) << 4 | (lane & 2) << 2 | (lane & 4) | (lane & 8) >> 2 | (lane & 16) >> 4;
  };
  for (int t = 0; t < transforms; ++t) {
    std::vector<std::complex<double>> y(points);
    for (int k = 0; k < points; ++k)
      for (int n = 0; n < points; ++n)
        y[static_cast<std::size_t>(reversed(k))] +=
            x[static_cast<std::size_t>(n)] * root[static_cast<std::size_t>(n * k % points)];
    x = y;
  }
  return x;
}

/// The tolerance of a part of these numbers, which are about 2: of 1032 transforms in FP32 each
/// rounds by a few units of the last place. One transform less is noticed.
inline constexpr double fft_error = 1e-3;

/// T is float or double. Probe registers' thread `thread` of a block of `block`: `live` values, a
/// round for each `block` of `input` (what the threads of a block read in that round), with the
/// kernel's roundings (kernels/probes/registers.hpp).
template <class T>
T expected_registers(int live, int thread, int block, T factor, const std::vector<T>& input) {
  std::vector<T> x;
  for (int i = 0; i < live; ++i) x.push_back(T(0.5) * static_cast<T>(thread) + static_cast<T>(i));
  for (std::size_t n = static_cast<std::size_t>(thread); n < input.size();
       n += static_cast<std::size_t>(block))
    for (T& value : x) value = std::fma(value, factor, input[n]);
  T sum = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) sum += x[i];
  return sum;
}

}  // namespace memstencil::membench
