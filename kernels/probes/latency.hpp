// Pointer chases: one thread follows a chain through memory, and the time of a step is the latency.
#pragma once

#include "kernels/portable.hpp"

#include <cstddef>
#include <cstdint>

namespace memstencil::probes {

/// The way that a load takes. Global, L2 and Texture chase in any memory that the GPU reaches,
/// Constant, Shared and Local in memory of their own.
enum class ChasePath { Global, GlobalPastL1, Texture, Constant, Shared, Local };

/// The unit in which caches fetch; a slot of a chain has at least one.
inline constexpr std::uint64_t chase_line = 128;
/// Loads in one turn of the timed loop.
inline constexpr std::uint32_t chase_unroll = 32;
/// All there is for constants.
inline constexpr std::size_t chase_constant_bytes = 65536;
/// The shared memory that a block has without an opt-in.
inline constexpr std::size_t chase_shared_bytes = 49152;
/// Words of a thread's local memory, of the small and of the large kernel. The words of the 32
/// threads of a warp lie side by side, so that each word of one thread is in a line of its own:
/// such a chain covers chase_line bytes a word.
inline constexpr std::uint32_t chase_local_words[]{512, 4096};

/// Byte at which slot `slot` of a chain has its link: in the first line of the slot, or, where a
/// slot has many lines (a page), in one that changes from slot to slot; otherwise all links would
/// fall into the same cache sets. `slot_bytes` is a multiple of chase_line.
MEMSTENCIL_FUNCTION std::uint64_t chase_place(std::uint64_t slot, std::uint64_t slot_bytes) {
  const std::uint64_t lines = slot_bytes / chase_line;
  return slot * slot_bytes + (slot * 0x9E3779B97F4A7C15U >> 32) % lines * chase_line;
}

/// A chain of `slots` slots: slot s leads to slot next[s].
struct Chain {
  const std::uint32_t* next = nullptr;  ///< `slots` indices, readable by whoever links
  std::uint32_t slots = 0;
  std::uint64_t slot_bytes = chase_line;
};

/// The steps of one launch. A launch finds L1 empty, so a chain that L1 could hold is walked once,
/// untimed, before the clock starts.
struct ChaseSteps {
  std::uint32_t untimed;
  std::uint32_t timed;  ///< a multiple of chase_unroll
};

/// The result of a timed chase.
struct ChaseTime {
  std::uint64_t cycles;       ///< of the timed steps, by the multiprocessor's clock
  std::uint64_t nanoseconds;  ///< of the timed steps, by the GPU's timer
  std::uint64_t end;          ///< byte, from the chain's first, at which it stopped
};

/// Writes the chain's links into `base` by a kernel: slots * slot_bytes bytes, of which one line a
/// slot is touched. For Constant `base` is not used and `next` is read by the host; for Shared
/// and Local nothing is to be done. Asynchronous.
/// @throws CudaError
void link_chain(ChasePath path, const Chain& chain, void* base);

/// One thread takes `steps` from the link at byte `start`. The time goes to `time`, memory that the
/// GPU can write. For Shared and Local the chain is copied from `chain.next`, memory that the GPU
/// can read, before the clock is read. Asynchronous.
/// @throws CudaError
void chase(ChasePath path, const Chain& chain, const void* base, std::uint64_t start,
           ChaseSteps steps, ChaseTime* time);

}  // namespace memstencil::probes
