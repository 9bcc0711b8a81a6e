// The fused sweep's native twin: T Jacobi sweeps in one pass over the
// coefficients, on one CUDA GPU.
#pragma once

#include "kernels/jacobi/arrays.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace memstencil::jacobi {

/// One compiled shape of the fused sweep. A block of `warps` warps, and one more that fetches,
/// marches along i with a tile of `rows` (j) by 64 points (k); a thread has two points of rows /
/// warps rows. The name is rows by points, then the warps.
struct TemporalTile {
  const char* name;
  int sweeps;
  int rows;
  int warps;
};

/// Every compiled shape; of one number of sweeps the first is the fastest on large grids.
inline constexpr std::array<TemporalTile, 3> temporal_tiles{{
    {"20x64/10", 2, 20, 10},
    {"16x64/8", 3, 16, 8},
    {"12x64/6", 4, 12, 6},
}};

/// The reason why the current GPU cannot run `sweeps` fused sweeps of `grid` with
/// temporal_tiles[tile]; empty when it can.
std::string refuse_temporal_cuda(const Grid& grid, int sweeps, std::size_t tile);

/// Doubles of device memory that temporal_cuda() needs for partial sums of
/// gosa and its blocks' progress.
std::size_t temporal_cuda_scratch_doubles(const Grid& grid, std::size_t tile);

/// One pass of temporal_tiles[tile].sweeps sweeps, queued on `stream` (a cudaStream_t). All arrays
/// of `pass`, its residuals (one a sweep) and `scratch` are memory that the current GPU can reach;
/// rows 16-byte aligned. Writes p_next in the owned points only, and partial sums of gosa into
/// `scratch`, which temporal_cuda_ready() has made ready. The same bits every time.
/// Throws std::runtime_error when the launch fails; ask refuse_temporal_cuda() first.
void temporal_cuda(const Pass& pass, std::size_t tile, double* scratch, void* stream);
/// The residuals of so many passes, whose scratch lies one after the other, from the partial sums;
/// those of `last` are the last of them. Makes the scratch ready for the next passes.
void temporal_cuda_sums(const Pass& last, int passes, std::size_t tile, double* scratch,
                        void* stream);
/// Sets the blocks' counters to zero, before the first pass, in the scratch of so many.
void temporal_cuda_ready(const Grid& grid, int passes, std::size_t tile, double* scratch,
                         void* stream);

}  // namespace memstencil::jacobi
