// The result of a thread of probe registers, worked out on the host with the same roundings.
#pragma once

#include <cmath>
#include <span>
#include <vector>

namespace memstencil::membench {

/// Of thread `thread` of a block of `block`: `live` values, a round for each `block` of `input` (what the
/// threads of a block read in that round). kernels/probes/registers.hpp says what is worked out.
inline float expected_registers(int live, int thread, int block, float factor, std::span<const float> input) {
  std::vector<float> x;
  for (int i = 0; i < live; ++i) x.push_back(0.5F * static_cast<float>(thread) + static_cast<float>(i));
  for (std::size_t n = static_cast<std::size_t>(thread); n < input.size();
       n += static_cast<std::size_t>(block))
    for (float& value : x) value = std::fma(value, factor, input[n]);
  float sum = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) sum += x[i];
  return sum;
}

}  // namespace memstencil::membench
