// Marching T stages through a tile: stage s updates plane i - s + 1, row j - s + 1, right after stage s - 1.
#include "kernels/jacobi/temporal_tile.hpp"

#include <algorithm>
#include <array>

namespace memstencil::jacobi {
namespace {

// A stage reads planes i-1, i, i+1 of the one before while that writes i+1: three planes are kept.
constexpr std::int64_t ring_planes = 3;
// Floats between the rings of two stages beyond their size: three cache lines, so that equal rows of
// all rings do not fall on the same sets of a cache.
constexpr std::int64_t ring_stagger = 48;

std::int64_t ring_stride(const Grid& grid, int sweeps, std::int64_t rows) {
  return ring_planes * (rows + 2 * (sweeps - 1)) * grid.pitch + ring_stagger;
}

bool contains(const Box& box, std::int64_t i, std::int64_t j) {
  return i >= box.lo[0] && i < box.hi[0] && j >= box.lo[1] && j < box.hi[1];
}

// One tile's march. Stages count from 1 as sweeps do; stage 0 stands for p as the pass begins.
class March {
public:
  March(const Pass& pass, int sweeps, const Box& tile, float* rings, double* residuals, Stores stores)
      : pass_(pass),
        sweeps_(sweeps),
        tile_(tile),
        rings_(rings),
        stride_(ring_stride(pass.grid, sweeps, tile.hi[1] - tile.lo[1])),
        residuals_(residuals),
        stores_(stores) {
    for (int stage = 0; stage <= sweeps; ++stage)
      regions_.push_back(grown(tile, sweeps - stage, pass.grid.interior));
  }

  void run() {
    const Box& first = regions_[1];
    for (std::int64_t i = first.lo[0]; i < tile_.hi[0] + sweeps_ - 1; ++i)
      for (std::int64_t j = first.lo[1]; j < tile_.hi[1] + sweeps_ - 1; ++j)
        for (int stage = 1; stage <= sweeps_; ++stage) {
          if (!contains(regions_[static_cast<std::size_t>(stage)], i - stage + 1, j - stage + 1)) continue;
          update(stage, i - stage + 1, j - stage + 1, coming(stage, i, j));
        }
  }

private:
  // Row of the values after `stage` sweeps. Outside the interior p never changes.
  const float* values(int stage, std::int64_t i, std::int64_t j) const {
    if (stage == 0 || !contains(pass_.grid.interior, i, j)) return pass_.p + pass_.grid.row(i, j);
    return ring_row(stage, i, j);
  }

  float* ring_row(int stage, std::int64_t i, std::int64_t j) const {
    const Box& region = regions_[static_cast<std::size_t>(stage)];
    const std::int64_t rows = region.hi[1] - region.lo[1];
    return rings_ + (stage - 1) * stride_ + (i % ring_planes * rows + (j - region.lo[1])) * pass_.grid.pitch;
  }

  RowInputs inputs(int stage, std::int64_t i, std::int64_t j) const {
    if (stage == 1) return row_inputs(pass_.grid, pass_.coefficients, pass_.p, i, j);
    RowInputs in{};
    in.coefficients = at_row(pass_.coefficients, pass_.grid.row(i, j));
    for (int di = 0; di < 3; ++di)
      for (int dj = 0; dj < 3; ++dj) in.p[di][dj] = values(stage - 1, i + di - 1, j + dj - 1);
    return in;
  }

  // Memory is read by stage 1 alone; the other stages would leave it idle. So each stage asks for its
  // share of the 13 rows that stage 1 reads next.
  Prefetch coming(int stage, std::int64_t i, std::int64_t j) const {
    const Box& first = regions_[1];
    const bool same_plane = j + 1 < first.hi[1];
    const std::int64_t next_i = same_plane ? i : i + 1;
    const std::int64_t next_j = same_plane ? j + 1 : first.lo[1];
    if (next_i >= first.hi[0]) return {};
    const Prefetch all = ahead_of(row_inputs(pass_.grid, pass_.coefficients, pass_.p, next_i, next_j), 0);
    Prefetch share;
    for (int n = all.count * (stage - 1) / sweeps_; n < all.count * stage / sweeps_; ++n)
      share.rows[static_cast<std::size_t>(share.count++)] = all.rows[static_cast<std::size_t>(n)];
    return share;
  }

  void update(int stage, std::int64_t i, std::int64_t j, const Prefetch& prefetch) {
    const Box& region = regions_[static_cast<std::size_t>(stage)];
    const Span updated{region.lo[2], region.hi[2]};
    const Span counted = contains(tile_, i, j) ? Span{tile_.lo[2], tile_.hi[2]} : Span{0, 0};
    const RowInputs in = inputs(stage, i, j);
    double& sum = residuals_[stage - 1];
    if (stage == sweeps_) {
      sum += update_row(in, pass_.p_next + pass_.grid.row(i, j), updated, counted, stores_, prefetch);
      return;
    }
    float* const row = ring_row(stage, i, j);
    sum += update_row(in, row, updated, counted, Stores::Cached, prefetch);
    const float* const fixed = pass_.p + pass_.grid.row(i, j);
    const Box& interior = pass_.grid.interior;
    if (updated.lo == interior.lo[2]) row[updated.lo - 1] = fixed[updated.lo - 1];
    if (updated.hi == interior.hi[2]) row[updated.hi] = fixed[updated.hi];
  }

  const Pass& pass_;
  const int sweeps_;
  const Box tile_;
  float* const rings_;
  const std::int64_t stride_;
  double* const residuals_;
  const Stores stores_;
  std::vector<Box> regions_;  // by stage: the points that it updates
};

}  // namespace

std::size_t ring_floats(const Grid& grid, int sweeps, std::int64_t rows) {
  return static_cast<std::size_t>((sweeps - 1) * ring_stride(grid, sweeps, rows));
}

void march_tile(const Pass& pass, int sweeps, const Box& tile, float* rings, double* residuals,
                Stores stores) {
  March(pass, sweeps, tile, rings, residuals, stores).run();
  if (stores == Stores::Streaming) finish_streaming();
}

}  // namespace memstencil::jacobi
