// The copy of an array word by word, by warps whose lanes are permuted, shifted or idle: the cases
// that the rules of coalescing distinguish ([ufrgs-thesis], section 4.2.1).
#pragma once

#include "kernels/portable.hpp"

#include <cstdint>

namespace memstencil::probes {

inline constexpr int lanes_of_warp = 32;

/// The words of a warp are 32 neighbours; lane n takes one of them, or none.
struct WarpAccess {
  int word_bytes = 4;                 ///< 1, 2, 4, 8 or 16
  unsigned multiplier = 1;            ///< odd, so that all lanes take different words
  unsigned rotation = 0;              ///< lane n takes word (n * multiplier + rotation) % 32
  std::uint32_t active = 0xFFFFFFFF;  ///< bit n: lane n takes part
  unsigned shift = 0;                 ///< all warps start so many words behind an aligned address
};

MEMSTENCIL_FUNCTION bool takes_part(const WarpAccess& access, unsigned lane) {
  return (access.active >> lane & 1U) != 0;
}

/// Word of the array that a lane of a warp copies.
MEMSTENCIL_FUNCTION std::int64_t copied_word(const WarpAccess& access, std::int64_t warp,
                                             unsigned lane) {
  return warp * lanes_of_warp + access.shift +
         (lane * access.multiplier + access.rotation) % lanes_of_warp;
}

/// Copies the words of `warps` warps (at least 1, under 2^34), a word a thread; the arrays hold 32
/// * warps + shift words from an address on that is aligned to 256 bytes, in memory that the GPU
/// reaches. Asynchronous, in the default stream.
/// @throws CudaError; std::invalid_argument for words of other sizes
void copy_words(void* to, const void* from, std::int64_t warps, const WarpAccess& access);

}  // namespace memstencil::probes
