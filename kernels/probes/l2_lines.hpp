// Probe l2: the half of the L2 that lines and blocks of memory belong to, and what an access takes
// to the near and to the far one.
#pragma once

#include "kernels/l2_halves.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace memstencil {

/// The half of each line: the one whose multiprocessors need less for it. `cycles` as above; for
/// halves that are clear.
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

/// The half of each block of memory by `cycles`[half][line], of two lines a block, its first and
/// its last: 0 or 1, and -1 where the two lines disagree, the halves differ by less than `least`,
/// or nobody has timed one (0).
inline std::vector<int> halves_of_blocks(const std::vector<double> (&cycles)[2], double least) {
  const auto half_of = [&](std::size_t line) {
    const double more = cycles[0][line] - cycles[1][line];
    const bool timed = cycles[0][line] > 0.0 && cycles[1][line] > 0.0;
    return !timed || std::abs(more) < least ? -1 : more < 0.0 ? 0 : 1;
  };
  std::vector<int> half_of_block;
  for (std::size_t line = 0; line + 1 < cycles[0].size(); line += 2)
    half_of_block.push_back(half_of(line) == half_of(line + 1) ? half_of(line) : -1);
  return half_of_block;
}

/// An access to a line: an atomic addition is made in the half that the line belongs to; a load (by
/// the path past L1) may find a copy in the near half, which the atomic addition before it may have
/// ended.
enum class L2Access { AtomicAddition, Load, LoadAfterAtomicAddition };

/// The half of a line changes at multiples of so many bytes of address (measured on an H200).
inline constexpr std::size_t l2_block_bytes = 4096;
/// Lines that l2_line_cycles() times, in as many blocks, and bytes of its memory.
inline constexpr int l2_lines_timed = 96;
inline constexpr std::size_t l2_line_spread = l2_block_bytes + 128;
inline constexpr std::size_t l2_lines_bytes = l2_lines_timed * l2_line_spread;

/// More than the identifiers of a GPU's multiprocessors.
inline constexpr int l2_identifiers = 1024;
/// The lines that a multiprocessor times, and the row of the result that it writes.
struct L2Visit {
  int row = -1;  ///< -1: it times nothing
  int first = 0, step = 1, count = 0;
};
/// Bytes of scratch for the times of so many lines, in so many rows.
constexpr std::size_t l2_scratch_bytes(std::size_t lines, std::size_t rows) {
  return l2_identifiers * sizeof(L2Visit) + rows * lines * sizeof(unsigned);
}

}  // namespace memstencil
