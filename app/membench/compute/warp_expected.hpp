// What the last sum of probe warp has to be: added up on the host.
#pragma once

#include "kernels/probes/warp_sum.hpp"

#include <cmath>
#include <cstdint>

namespace memstencil::membench {

/// The sum of a group's own values, thread t's being t % 7.
inline int own_sum(int threads) {
  int sum = 0;
  for (int t = 0; t < threads; ++t) sum += t % 7;
  return sum;
}

/// Sum number `sums` (the first is number 0): each is the own sum and sum_carry times the one before.
/// Integers modulo 2^32.
inline int expected_sum(int threads, int sums, int carry) {
  const auto own = static_cast<std::uint32_t>(own_sum(threads));
  std::uint32_t sum = own;
  for (int k = 0; k < sums; ++k) sum = own + static_cast<std::uint32_t>(carry) * sum;
  return static_cast<int>(sum);
}
inline float expected_sum(int threads, int sums, float carry) {
  const double own = own_sum(threads);
  double sum = own;
  for (int k = 0; k < sums; ++k) sum = own + static_cast<double>(carry) * sum;
  return static_cast<float>(sum);
}

/// Integers exactly; floats may have been added in any order.
inline bool right_sum(int sum, int expected) { return sum == expected; }
inline bool right_sum(float sum, float expected) {
  constexpr float rounding = 1e-5F;
  return std::abs(sum - expected) <= rounding * std::abs(expected);
}

}  // namespace memstencil::membench
