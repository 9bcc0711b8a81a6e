// How many 32-byte sectors a warp's access touches.
#include "app/membench/hierarchy/sectors.hpp"

#include <cstdint>
#include <map>

namespace memstencil::membench {

namespace {

/// Rows so long that no warp that is looked at meets an end; a whole number of sectors, as real ones are.
constexpr probes::MatrixExtents endless{2, std::int64_t{1} << 20};
constexpr std::int64_t floats_of_sector = sector_bytes / sizeof(float);

/// Number of the sector -> how many of its floats are accessed.
using Touched = std::map<std::int64_t, int>;

/// Adds the access of warp `n` of a pair of rows: half of its threads are in each.
void add_access(Touched& touched, const probes::CopyPattern& pattern, int n) {
  constexpr std::int64_t width = probes::copy_block;
  for (std::int64_t thread = 0; thread < 32; ++thread)
    ++touched[probes::copied_element(endless, pattern, n * width + thread % width, thread / width, 0) /
              floats_of_sector];
}

Touched accesses(const probes::CopyPattern& pattern, int first, int last) {
  Touched touched;
  for (int n = first; n <= last; ++n) add_access(touched, pattern, n);
  return touched;
}

}  // namespace

WarpSectors count_sectors(const probes::CopyPattern& pattern) {
  // A warp begins 16 * stride floats after the one before: its place in a sector repeats at once.
  constexpr int n = 1;
  const Touched own = accesses(pattern, n, n);
  const Touched before = accesses(pattern, n - 1, n - 1);
  const Touched around = accesses(pattern, n - 1, n + 1);
  WarpSectors count{.touched = static_cast<int>(own.size()), .fresh = 0, .partial = 0};
  for (const auto& [sector, floats] : own) {
    if (before.contains(sector)) continue;
    ++count.fresh;
    if (around.at(sector) < floats_of_sector) ++count.partial;
  }
  return count;
}

}  // namespace memstencil::membench
