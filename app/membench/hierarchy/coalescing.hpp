// The transactions of a warp's access to global memory: by the rules of compute capability 1.2
// ([ufrgs-thesis], section 4.2.1), and by today's sectors of 32 bytes. Plain arithmetic.
#pragma once

#include "kernels/probes/word_copy.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace memstencil::membench::coalescing {

/// A transaction: `bytes` (32, 64 or 128) from an address on that is a multiple of them.
struct Segment {
  std::int64_t first = 0;
  int bytes = 0;

  bool operator==(const Segment&) const = default;
};

/// The transactions of one half-warp of compute capability 1.2 or 1.3, in their order: the segment
/// (32 bytes for words of 1 byte, 64 for 2, otherwise 128) of the first lane that waits serves all
/// lanes with addresses in it, and is cut to its half while all of them lie in one half of it, down
/// to 32 bytes.
/// @param addresses in bytes, of the active lanes in the order of the lanes; each a multiple of
///        `word_bytes` (1, 2, 4, 8 or 16)
std::vector<Segment> segments_of_half_warp(std::span<const std::int64_t> addresses, int word_bytes);

/// Sectors of 32 bytes that a whole warp touches, as GPUs count since compute capability 3.x.
std::int64_t sectors_of_warp(std::span<const std::int64_t> addresses, int word_bytes);

/// An access of a warp, counted in both ways; of warp `warp` of many.
struct Transactions {
  int segments = 0;  ///< of both half-warps
  std::int64_t segment_bytes = 0;
  std::int64_t sectors = 0;
  std::int64_t asked_bytes = 0;  ///< of the words that active lanes take
};
Transactions transactions_of(const probes::WarpAccess& access, std::int64_t warp = 0);

/// An access under the name that a reader knows it by.
struct Case {
  std::string name;
  probes::WarpAccess access;
};
/// What the rules distinguish, for words of 1, 2, 4, 8 and 16 bytes; and figure 4.3.
std::vector<Case> all_cases();

}  // namespace memstencil::membench::coalescing
