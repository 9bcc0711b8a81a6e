// The fused sweep's native twin: T Jacobi sweeps in one pass over the coefficients, on one CUDA GPU.
#pragma once

#include "kernels/jacobi/grid.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace memstencil::jacobi {

/// One compiled shape of the fused sweep. A block of 32 x `warps` threads marches along i with a tile
/// of 2 x `warps` rows (j) by 64 points (k), two rows of two points a thread. `slots` planes of its
/// coefficients wait in shared memory for the later sweeps; with slots == sweeps a plane's
/// coefficients have a whole step to arrive, with sweeps - 1 the tile can be larger.
struct TemporalTile {
  const char* name;
  int sweeps;
  int warps;
  int slots;
};

/// Every compiled shape; of one number of sweeps the first is the one for large grids on an H100.
inline constexpr std::array<TemporalTile, 4> temporal_tiles{{
    {"64x32", 2, 16, 1},
    {"64x16", 3, 8, 3},
    {"64x24", 3, 12, 2},
    {"64x14", 4, 7, 4},
}};

/// Why the current GPU can't run `sweeps` fused sweeps of `grid` with temporal_tiles[tile]; empty
/// when it can.
std::string refuse_temporal_cuda(const Grid& grid, int sweeps, std::size_t tile);

/// Doubles of device memory that temporal_cuda() needs for its partial sums of gosa.
std::size_t temporal_cuda_scratch_doubles(const Grid& grid, std::size_t tile);

/// One pass of temporal_tiles[tile].sweeps sweeps, queued on `stream` (a cudaStream_t). All arrays
/// of `pass`, its residuals (one a sweep) and `scratch` are memory that the current GPU can reach;
/// rows 16-byte aligned. Writes p_next in the owned points only. The same bits every time.
/// Throws std::runtime_error when the launch fails; ask refuse_temporal_cuda() first.
void temporal_cuda(const Pass& pass, std::size_t tile, double* scratch, void* stream);

}  // namespace memstencil::jacobi
