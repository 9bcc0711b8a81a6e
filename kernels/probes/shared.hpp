// Loads from shared memory between two clock reads: instructions x warps x congestion, after
// [hiroshima-shared-memory].
#pragma once

#include "kernels/portable.hpp"

#include <cstdint>

namespace memstencil::probes {

/// Lanes of a warp, columns of the table, banks of shared memory.
inline constexpr unsigned warp_lanes = 32;
/// The table that is read: 32 rows of 32 words.
inline constexpr unsigned bank_table_words = warp_lanes * warp_lanes;

/// Word of the table that a lane reads ([hiroshima-shared-memory], section 3.3, figure 6): the
/// lanes go down the diagonal, one a row, so that no two share a column; the first `congestion` of
/// them (1..32) are moved to column 0. They read different words, since the same word would be
/// broadcast.
MEMSTENCIL_FUNCTION constexpr unsigned congested_word(unsigned lane, unsigned congestion) {
  return lane * warp_lanes + (lane < congestion ? 0 : lane);
}

/// Loads, warps and congestion each go from 1 to 32 ([hiroshima-shared-memory], table 3).
inline constexpr int shared_points = 32;

/// The moment at which the second clock is read.
enum class SharedEnd {
  Arrived,  ///< when the last load's data have come: what the paper means, "until all warps have
            ///< ended"
  Issued  ///< as the paper's list 3 is written: GPUs since Maxwell do not wait for data that nobody
          ///< asked for
};

/// The buffers for the cycles. All pointers are memory that the GPU can reach.
struct SharedLoads {
  std::uint32_t* cycles = nullptr;  ///< [congestion][warps][repeats], from 1 each
  std::uint32_t* wrong =
      nullptr;  ///< counts the lanes that did not read what is there; set to 0 before
  int repeats = 100;
};

/// `loads` loads (0..32; 0 is the empty measurement) of 4 or 8 bytes a lane by 1..32 warps with
/// congestion 1..32, every combination `repeats` times; Issued is there for 8 bytes only. Each
/// combination has a multiprocessor to itself, as many at once as there are multiprocessors.
/// Asynchronous.
/// @throws CudaError
void time_shared_loads(int word_bytes, int loads, SharedEnd end, const SharedLoads& result);

/// Clock that the four first warps of a block, one a sub-partition, read after one barrier;
/// `clocks` is [repeats][4]. Tells whether sub-partitions count alike. Asynchronous.
/// @throws as above
void read_subpartition_clocks(std::uint32_t* clocks, int repeats);

}  // namespace memstencil::probes
