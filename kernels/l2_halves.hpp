// The two halves of a GPU's L2 cache, and the multiprocessors near each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace memstencil {

/// From the multiprocessors' identifiers (%smid) to a half. `clear` is false where the GPU showed
/// no two groups (its L2 is of one piece, or others were at work): then all are of half 0.
struct L2Halves {
  bool clear = false;
  std::vector<int> half_of;  ///< 0 or 1, and -1 for an identifier that no block met
  int count(int half) const {
    return static_cast<int>(std::count(half_of.begin(), half_of.end(), half));
  }
};

/// Sorts multiprocessors by `cycles`[identifier][line]: what an access to each of some lines took
/// (0 where there is no such identifier). A line is near one half and far from the other. So,
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
/// std::runtime_error where CUDA fails.
const L2Halves& l2_halves(unsigned* memory);

}  // namespace memstencil
