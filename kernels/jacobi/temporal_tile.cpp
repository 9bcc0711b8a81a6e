// The march of T stages through a tile, strip by strip, skewed so that strips share nothing twice.
#include "kernels/jacobi/temporal_tile.hpp"

#include "kernels/host_caches.hpp"

#include <algorithm>
#include <vector>

namespace memstencil::jacobi {
namespace {

// Stage s updates row (i - s + 1, r - s + 1) right after stage s - 1 updated row (i - s + 2, r - s
// + 2), the last of its nine neighbours. So i and r count what stage 1 does, a strip is a range of
// r, and a stage's rows of the strip lie s - 1 further down: no row is updated by two strips.

// A stage reads planes i-1, i, i+1 of the one before while that writes i+1: three planes are kept.
constexpr std::int64_t ring_planes = 3;
// The last rows of a strip are read by the next strip, in every plane:
// these are kept for all planes.
constexpr std::int64_t seam_rows = 2;
// Three cache lines between the parts of the scratch, so that equal rows of its parts do not fall
// on the same sets of a cache.
constexpr std::int64_t stagger = 48;

// The place of a row of intermediate values in the scratch, in floats.
struct ScratchLayout {
  ScratchLayout(const Grid& grid, int sweeps, const HostTile& shape)
      : row(grid.pitch),
        ring_plane(shape.strip * row),
        ring(ring_planes * ring_plane + stagger),
        seam((shape.planes + 2 * (sweeps - 1)) * seam_rows * row + stagger),
        seams((sweeps - 1) * ring),
        total(seams + 2 * (sweeps - 1) * seam) {}

  std::int64_t row, ring_plane, ring, seam;
  std::int64_t seams;  // offset of the seams: those of even strips, then those of odd ones
  std::int64_t total;
};

bool contains(const Box& box, std::int64_t i, std::int64_t j) {
  return i >= box.lo[0] && i < box.hi[0] && j >= box.lo[1] && j < box.hi[1];
}

// One tile's march. Stages count from 1 as sweeps do; stage 0 stands for p as the pass begins.
class March {
public:
  March(const Pass& pass, int sweeps, const Box& tile, const HostTile& shape, float* scratch)
      : pass_(pass),
        sweeps_(sweeps),
        tile_(tile),
        layout_(pass.grid, sweeps, shape),
        scratch_(scratch),
        sums_(static_cast<std::size_t>(sweeps)) {
    for (int stage = 0; stage <= sweeps; ++stage)
      regions_.push_back(grown(tile, sweeps - stage, pass.grid.interior));
  }

  // The sums of squared residuals of the sweeps.
  const std::vector<double>& run(std::int64_t strip_rows) {
    const std::int64_t end = tile_.hi[1] + sweeps_ - 1;
    strip_ = {regions_[1].lo[1], regions_[1].lo[1]};
    for (; strip_.hi < end; ++strip_count_) {
      strip_ = {strip_.hi, std::min(strip_.hi + strip_rows, end)};
      march_strip();
    }
    return sums_;
  }

private:
  void march_strip() {
    for (std::int64_t i = regions_[1].lo[0]; i < tile_.hi[0] + sweeps_ - 1; ++i)
      for (std::int64_t r = strip_.lo; r < strip_.hi; r += 2)
        march_rows(i, {r, std::min(r + 2, strip_.hi)});
  }

  // Every stage's rows for a range of r. What stage 1 reads from memory next is prefetched evenly
  // by all of them: memory then delivers while any of them computes.
  void march_rows(std::int64_t i, Span r) {
    const auto rows = [&](int stage) -> Span {
      const Box& box = region(stage);
      if (i - stage + 1 < box.lo[0] || i - stage + 1 >= box.hi[0]) return {0, 0};
      return {std::max(r.lo - stage + 1, box.lo[1]), std::min(r.hi - stage + 1, box.hi[1])};
    };
    int shares = 0;
    for (int stage = 1; stage <= sweeps_; ++stage) shares += rows(stage).lo < rows(stage).hi;
    const Coming next = coming(i, r);
    int share = 0;
    for (int stage = 1; stage <= sweeps_; ++stage)
      if (const Span j = rows(stage); j.lo < j.hi)
        update_rows(stage, i - stage + 1, j, share_of(next, share++, shares));
  }

  const Box& region(int stage) const { return regions_[static_cast<std::size_t>(stage)]; }

  // Row of the values after `stage` sweeps. Outside the interior p never changes.
  const float* values(int stage, std::int64_t i, std::int64_t j) const {
    if (stage == 0 || !contains(pass_.grid.interior, i, j)) return pass_.p + pass_.grid.row(i, j);
    return scratch_row(stage, i, j);
  }

  float* scratch_row(int stage, std::int64_t i, std::int64_t j) const {
    const std::int64_t r = j + stage - 1;
    if (r < strip_.lo) return seam_row(stage, strip_count_ - 1, i, r - strip_.lo + seam_rows);
    if (r >= strip_.hi - seam_rows)
      return seam_row(stage, strip_count_, i, r - strip_.hi + seam_rows);
    return scratch_ + (stage - 1) * layout_.ring + i % ring_planes * layout_.ring_plane +
           (r - strip_.lo) * layout_.row;
  }

  float* seam_row(int stage, std::int64_t strip, std::int64_t i, std::int64_t n) const {
    return scratch_ + layout_.seams + ((strip & 1) * (sweeps_ - 1) + stage - 1) * layout_.seam +
           ((i - regions_[1].lo[0]) * seam_rows + n) * layout_.row;
  }

  RowInputs inputs(int stage, std::int64_t i, std::int64_t j) const {
    if (stage == 1) return row_inputs(pass_.grid, pass_.coefficients, pass_.p, i, j);
    RowInputs in{{}, at_row(pass_.coefficients, pass_.grid.row(i, j))};
    for (int di = 0; di < 3; ++di)
      for (int dj = 0; dj < 3; ++dj) in.p[di][dj] = values(stage - 1, i + di - 1, j + dj - 1);
    return in;
  }

  // What stage 1 reads from memory after the rows r of plane i.
  struct Coming {
    MemoryStreams streams;
    int rows;
  };

  Coming coming(std::int64_t i, Span r) const {
    const std::int64_t end = std::min(strip_.hi, region(1).hi[1]);
    const bool same_plane = r.hi < end;
    const std::int64_t next_i = same_plane ? i : i + 1;
    const std::int64_t next_j = same_plane ? r.hi : strip_.lo;
    if (next_i >= region(1).hi[0] || next_j >= end) return {{}, 0};
    return {ahead_of(row_inputs(pass_.grid, pass_.coefficients, pass_.p, next_i, next_j), 0),
            static_cast<int>(std::min<std::int64_t>(2, end - next_j))};
  }

  Prefetch share_of(const Coming& next, int share, int shares) const {
    Prefetch out;
    const auto at = [=](int n) { return static_cast<std::size_t>(coefficient_count * n / shares); };
    out.coefficients =
        std::span(next.streams.coefficients.arrays).subspan(at(share), at(share + 1) - at(share));
    if (share + 1 == shares) out.p = next.streams.p;
    out.pitch = pass_.grid.pitch;
    out.rows = next.rows;
    return out;
  }

  float* target(int stage, std::int64_t i, std::int64_t j) const {
    return stage == sweeps_ ? pass_.p_next + pass_.grid.row(i, j) : scratch_row(stage, i, j);
  }

  // One or two rows.
  void update_rows(int stage, std::int64_t i, Span j, const Prefetch& prefetch) {
    const Span updated{region(stage).lo[2], region(stage).hi[2]};
    const auto counted = [&](std::int64_t row) {
      return contains(tile_, i, row) ? Span{tile_.lo[2], tile_.hi[2]} : Span{0, 0};
    };
    double& sum = sums_[static_cast<std::size_t>(stage - 1)];
    if (j.hi - j.lo == 2 && contains(tile_, i, j.lo) == contains(tile_, i, j.lo + 1)) {
      const auto [first, second] = update_two_rows(
          {inputs(stage, i, j.lo), inputs(stage, i, j.lo + 1)},
          {target(stage, i, j.lo), target(stage, i, j.lo + 1)}, updated, counted(j.lo), prefetch);
      sum += first;
      sum += second;
    } else {
      for (std::int64_t row = j.lo; row < j.hi; ++row)
        sum += update_row(inputs(stage, i, row), target(stage, i, row), updated, counted(row),
                          Stores::Cached, {}, row == j.lo ? prefetch : Prefetch{});
    }
    if (stage < sweeps_)
      for (std::int64_t row = j.lo; row < j.hi; ++row) copy_boundary(stage, i, row);
  }

  // If the updated points end at the fixed boundary, later stages read its points beside them.
  void copy_boundary(int stage, std::int64_t i, std::int64_t j) {
    const Box& box = region(stage);
    const Box& interior = pass_.grid.interior;
    float* const next = scratch_row(stage, i, j);
    const float* const fixed = pass_.p + pass_.grid.row(i, j);
    if (box.lo[2] == interior.lo[2]) next[box.lo[2] - 1] = fixed[box.lo[2] - 1];
    if (box.hi[2] == interior.hi[2]) next[box.hi[2]] = fixed[box.hi[2]];
  }

  const Pass& pass_;
  const int sweeps_;
  const Box tile_;
  const ScratchLayout layout_;
  float* const scratch_;
  std::vector<double> sums_;  // the march's own, so that threads do not share a cache line
  std::vector<Box> regions_;  // by stage: the points that it updates
  Span strip_{0, 0};          // the strip being marched, in r
  std::int64_t strip_count_ = 0;
};

}  // namespace

std::size_t scratch_floats(const Grid& grid, int sweeps, const HostTile& shape) {
  return static_cast<std::size_t>(ScratchLayout(grid, sweeps, shape).total);
}

void march_tile(const Pass& pass, int sweeps, const Box& tile, const HostTile& shape,
                float* scratch, double* residuals) {
  March march(pass, sweeps, tile, shape, scratch);
  const std::vector<double>& sums = march.run(shape.strip);
  std::copy(sums.begin(), sums.end(), residuals);
}

HostTile host_tile(const Grid& grid, int sweeps, int threads) {
  const std::int64_t planes = std::max<std::int64_t>(1, grid.owned.hi[0] - grid.owned.lo[0]);
  const std::int64_t rows = std::max<std::int64_t>(1, grid.owned.hi[1] - grid.owned.lo[1]);
  // A slab of planes for each thread, but none so thin that most of its work is done twice.
  const std::int64_t slabs = std::clamp<std::int64_t>(planes / (8 * sweeps), 1, threads);
  const std::int64_t columns = (threads + slabs - 1) / slabs;
  // Twice the second-level cache for the T planes of a strip's coefficients was measured best: what
  // falls out of it comes from the last level, and wider strips read longer streams.
  const auto row_bytes =
      static_cast<std::int64_t>(coefficient_count * sizeof(float)) * grid.extents[2] * sweeps;
  const auto cached_rows = 2 * static_cast<std::int64_t>(host_caches().second_level) / row_bytes;
  return {(planes + slabs - 1) / slabs, (rows + columns - 1) / columns,
          std::max<std::int64_t>(cached_rows, 2 * seam_rows)};
}

}  // namespace memstencil::jacobi
