// Where the lanes of a warp read in shared memory so that a chosen number of them meet in one bank.
#pragma once

#include "kernels/portable.hpp"

namespace memstencil::probes {

/// Lanes of a warp, columns of the table, banks of shared memory.
inline constexpr unsigned warp_lanes = 32;
/// The table that is read: 32 rows of 32 words.
inline constexpr unsigned bank_table_words = warp_lanes * warp_lanes;

/// Word of the table that a lane reads (paper 000, section 3.3, figure 6): the lanes go down the diagonal,
/// one a row, so that no two share a column; the first `congestion` of them (1..32) are moved to column 0.
/// They read different words, since the same word would be broadcast.
MEMSTENCIL_FUNCTION constexpr unsigned congested_word(unsigned lane, unsigned congestion) {
  return lane * warp_lanes + (lane < congestion ? 0 : lane);
}

}  // namespace memstencil::probes
