// Shared by the parts of probe copy: the 32-byte sectors that a warp's access touches (bytes moved
// against bytes asked for), and the copies of a sample.
#pragma once

#include "kernels/probes/copy.hpp"

namespace memstencil::membench::copy_probe {

/// Memory is moved in sectors of so many bytes (CUDA C++ Programming
/// Guide, device memory accesses).
inline constexpr int sector_bytes = 32;
/// Those of the 128 bytes that a warp asks for, where it gets nothing else with them.
inline constexpr int sectors_asked = 4;

/// Sectors of the access of one warp in the middle of a matrix.
struct WarpSectors {
  int touched = 0;  ///< move between multiprocessor and L2, for the read and again for the write
  /// Of these, not touched by the warp before, which runs at about the same time: move between L2
  /// and memory, where the matrix is larger than L2.
  int fresh = 0;
  /// Of the fresh, those that a pass leaves written in part: the rest of such a sector has to be
  /// read before it can go back to memory.
  int partial = 0;
};

/// Counts them thread by thread. The arrays and their rows start at a sector's border.
WarpSectors count_sectors(const probes::CopyPattern& pattern);

/// Copies of a sample, each of so many bytes. [ufrgs-thesis] divides the time of many iterations;
/// so do we where one is short, that its start does not count.
int back_to_back(double bytes);

}  // namespace memstencil::membench::copy_probe
