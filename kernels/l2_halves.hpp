// The two halves of a GPU's L2 cache: the multiprocessors near each, the lines of memory that
// belong to it, and what an access takes to the near and to the far one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace memstencil {

/// From the multiprocessors' identifiers (%smid) to a half. `clear` is false if the GPU showed
/// no two groups (its L2 is of one piece, or others were at work): then all are of half 0.
struct L2Halves {
  bool clear = false;
  std::vector<int> half_of;  ///< 0 or 1, and -1 for an identifier that no block met
  int count(int half) const {
    return static_cast<int>(std::count(half_of.begin(), half_of.end(), half));
  }
};

/// Sorts multiprocessors by `cycles`[identifier][line]: what an access to each of some lines took
/// (0 if there is no such identifier). A line is near one half and far from the other. So,
/// with the means of each line and of each multiprocessor taken off, rows of one half are alike
/// and rows of two are opposite.
inline L2Halves sort_by_half(const std::vector<std::vector<double>>& cycles) {
  L2Halves out;
  out.half_of.assign(cycles.size(), -1);
  std::vector<std::size_t> met;
  for (std::size_t n = 0; n < cycles.size(); ++n)
    if (!cycles[n].empty() && cycles[n][0] > 0.0) met.push_back(n);
  if (met.empty()) return out;
  const std::size_t lines = cycles[met[0]].size();
  std::vector<std::vector<double>> rows;
  std::vector<double> of_line(lines, 0.0);
  for (const std::size_t n : met) {
    std::vector<double> row = cycles[n];
    double mean = 0.0;
    for (const double c : row) mean += c / static_cast<double>(lines);
    for (std::size_t line = 0; line < lines; ++line)
      of_line[line] += (row[line] -= mean) / static_cast<double>(met.size());
    rows.push_back(row);
  }
  for (auto& row : rows)
    for (std::size_t line = 0; line < lines; ++line) row[line] -= of_line[line];
  const auto likeness = [&](std::size_t a, std::size_t b) {
    double ab = 0.0, aa = 0.0, bb = 0.0;
    for (std::size_t line = 0; line < lines; ++line) {
      ab += rows[a][line] * rows[b][line];
      aa += rows[a][line] * rows[a][line];
      bb += rows[b][line] * rows[b][line];
    }
    return aa > 0.0 && bb > 0.0 ? ab / std::sqrt(aa * bb) : 0.0;
  };
  // Two clear groups: everybody is clearly like the first or clearly unlike it,
  // and neither group is small.
  constexpr double least_likeness = 0.5;
  out.clear = true;
  for (std::size_t n = 0; n < met.size(); ++n) {
    const double like_first = likeness(0, n);
    out.half_of[met[n]] = like_first >= 0.0 ? 0 : 1;
    out.clear = out.clear && std::abs(like_first) >= least_likeness;
  }
  out.clear =
      out.clear && std::min(out.count(0), out.count(1)) >= static_cast<int>(met.size() + 3) / 4;
  if (!out.clear)
    for (const std::size_t n : met) out.half_of[n] = 0;
  return out;
}

/// Bytes of a GPU's memory that l2_halves() wants: lines to be timed, and what it writes.
inline constexpr std::size_t l2_halves_bytes = std::size_t{1} << 20;

/// Asks the current GPU, once in the life of the process: a few milliseconds. No interface tells
/// it: every multiprocessor times atomic additions of 0, which are made in the half that a line
/// belongs to. `memory`: of the GPU, l2_halves_bytes; what it holds is lost. Throws
/// std::runtime_error if CUDA fails.
const L2Halves& l2_halves(unsigned* memory);

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
/// them: the least of 16, and 0 if there is no multiprocessor of this identifier.
/// Throws std::runtime_error if CUDA fails. Both areas are of the GPU; what they hold is lost.
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
