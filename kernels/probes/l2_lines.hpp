// Probe l2: the half of the L2 that lines of memory belong to, and what an access takes to the near
// and to the far one.
#pragma once

#include "kernels/l2_halves.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace memstencil {

/// An access to a line: an atomic addition is made in the half that the line belongs to; a load (by
/// the path past L1) may find a copy in the near half, which the atomic addition before it may have
/// ended.
enum class L2Access { AtomicAddition, Load, LoadAfterAtomicAddition };

/// Lines that are timed, and the bytes from one to the next: the half changes at
/// multiples of 4096 bytes of address (measured on an H200).
inline constexpr int l2_lines_timed = 96;
inline constexpr std::size_t l2_line_spread = 4096 + 128;
inline constexpr std::size_t l2_lines_bytes = l2_lines_timed * l2_line_spread;
/// More than the identifiers of a GPU's multiprocessors.
inline constexpr int l2_identifiers = 1024;
/// Bytes of scratch for the times of all lines from all multiprocessors.
inline constexpr std::size_t l2_scratch_bytes = l2_identifiers * l2_lines_timed * sizeof(unsigned);

/// Cycles of the access from each multiprocessor to l2_lines_timed lines, as sort_by_half() wants
/// them: the least of 16, and 0 where there is no multiprocessor of this identifier.
/// Throws std::runtime_error where CUDA fails. Both areas are of the GPU; what they hold is lost.
/// @param memory l2_lines_bytes
/// @param scratch l2_scratch_bytes
std::vector<std::vector<double>> l2_line_cycles(L2Access kind, unsigned* memory, unsigned* scratch);

/// The half of each line: the one whose multiprocessors need less for it. `cycles` as
/// sort_by_half() wants them; for halves that are clear.
inline std::vector<int> halves_of_lines(const L2Halves& halves,
                                        const std::vector<std::vector<double>>& cycles) {
  std::vector<double> farther;  // of each line: cycles from half 0, less those from half 1
  for (std::size_t n = 0; n < cycles.size(); ++n) {
    if (halves.half_of[n] < 0) continue;
    farther.resize(cycles[n].size(), 0.0);
    const int half = halves.half_of[n];
    for (std::size_t line = 0; line < farther.size(); ++line)
      farther[line] += (half == 0 ? 1.0 : -1.0) * cycles[n][line] / halves.count(half);
  }
  std::vector<int> half_of_line;
  for (const double more : farther) half_of_line.push_back(more <= 0.0 ? 0 : 1);
  return half_of_line;
}

/// Cycles of an access to lines of the own half and of the other one: medians.
struct NearAndFar {
  double near = 0.0, far = 0.0;
};

/// `half_of_line`: of the lines that `cycles` are of; for halves that are clear.
inline NearAndFar near_and_far(const L2Halves& halves,
                               const std::vector<std::vector<double>>& cycles,
                               const std::vector<int>& half_of_line) {
  std::vector<double> near, far;
  for (std::size_t n = 0; n < cycles.size(); ++n)
    for (std::size_t line = 0; halves.half_of[n] >= 0 && line < cycles[n].size(); ++line)
      (halves.half_of[n] == half_of_line[line] ? near : far).push_back(cycles[n][line]);
  const auto median = [](std::vector<double>& values) {
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  return {median(near), median(far)};
}

}  // namespace memstencil
