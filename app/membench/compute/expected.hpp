// The expected results of probes warp and registers, computed on the host.
#pragma once

#include "kernels/probes/warp_sum.hpp"

#include <cmath>
#include <cstdint>
#include <span>
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

/// Probe registers' thread `thread` of a block of `block`: `live` values, a round for each `block`
/// of `input` (what the threads of a block read in that round), with the kernel's roundings
/// (kernels/probes/registers.hpp).
inline float expected_registers(int live, int thread, int block, float factor,
                                std::span<const float> input) {
  std::vector<float> x;
  for (int i = 0; i < live; ++i)
    x.push_back(0.5F * static_cast<float>(thread) + static_cast<float>(i));
  for (std::size_t n = static_cast<std::size_t>(thread); n < input.size();
       n += static_cast<std::size_t>(block))
    for (float& value : x) value = std::fma(value, factor, input[n]);
  float sum = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) sum += x[i];
  return sum;
}

}  // namespace memstencil::membench
