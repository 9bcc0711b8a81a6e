// Probe atomics: every thread updates one word in memory, again and again, with or without asking
// what was there.
#pragma once

#include "kernels/portable.hpp"
#include "kernels/probes/clocks.hpp"

#include <array>
#include <climits>
#include <cstdint>

namespace memstencil::probes {

enum class AtomicOperation {
  Add,
  Min,
  Max,
  And,
  Or,
  Xor,
  AddReturning,    ///< gives the old value
  Exchange,        ///< gives the old value
  CompareAndSwap,  ///< gives the old value; update number n of a thread puts n + 1 where n is
  PlainAdd         ///< a load, an addition and a store: not atomic
};
inline constexpr std::array all_atomic_operations{
    AtomicOperation::Add,          AtomicOperation::Min,      AtomicOperation::Max,
    AtomicOperation::And,          AtomicOperation::Or,       AtomicOperation::Xor,
    AtomicOperation::AddReturning, AtomicOperation::Exchange, AtomicOperation::CompareAndSwap,
    AtomicOperation::PlainAdd};

MEMSTENCIL_FUNCTION constexpr bool returns_old(AtomicOperation operation) {
  return operation == AtomicOperation::AddReturning || operation == AtomicOperation::Exchange ||
         operation == AtomicOperation::CompareAndSwap;
}

/// Additions are there for all types.
MEMSTENCIL_FUNCTION constexpr bool adds(AtomicOperation operation) {
  return operation == AtomicOperation::Add || operation == AtomicOperation::AddReturning ||
         operation == AtomicOperation::PlainAdd;
}

/// Integers (unsigned) take all operations, floating-point numbers those that add.
enum class AtomicType { Int32, Int64, Float, Double };
inline constexpr std::array all_atomic_types{AtomicType::Int32, AtomicType::Int64,
                                             AtomicType::Float, AtomicType::Double};

enum class AtomicMemory { Global, Shared };

/// Threads of a block; one block runs on each SM.
inline constexpr int atomics_block = 1024;
/// Updates in the body of the timed loop.
inline constexpr int atomics_body = 16;
/// The operands of exchanges of neighbouring threads are so far apart: more than a thread's
/// updates, and few enough for 32 bits on any GPU.
inline constexpr int exchange_step = 8192;

/// The operand of update number `update` (from 0) of a thread of the grid. With min and max each
/// update goes beyond the thread's last one; and and or take turns with two bits, because the
/// assembler leaves out an update that would change nothing.
template <class T>
MEMSTENCIL_FUNCTION T atomic_operand(AtomicOperation operation, unsigned thread, unsigned update) {
  const bool in_turn = operation == AtomicOperation::And || operation == AtomicOperation::Or;
  const T bit = T(1) << ((thread + (in_turn ? update % 2 : 0)) % (CHAR_BIT * sizeof(T)));
  switch (operation) {
    case AtomicOperation::Add:
    case AtomicOperation::AddReturning:
    case AtomicOperation::PlainAdd:
      return 1;
    case AtomicOperation::Exchange:
      return T(thread) * exchange_step + update + 1;
    case AtomicOperation::CompareAndSwap:
      return T(update);
    case AtomicOperation::Min:
      return T(0x40000000) + thread - update;
    case AtomicOperation::Max:
      return T(0x40000000) + thread + update;
    case AtomicOperation::And:
      return ~bit;
    case AtomicOperation::Or:
    case AtomicOperation::Xor:
      break;
  }
  return bit;
}

/// One launch. Thread t (of the grid for global memory, of its block for shared) updates word
/// (t >> shift) * pitch.
struct AtomicsJob {
  AtomicOperation operation = AtomicOperation::Add;
  AtomicType type = AtomicType::Int32;
  AtomicMemory memory = AtomicMemory::Global;
  int shift = 0;
  int pitch = 1;
  int updates = 0;  ///< timed, of each thread, a multiple of atomics_body; one more goes before
  int blocks = 0;
  std::uint64_t initial = 0;  ///< shared memory's words before; global memory's are the caller's
  /// device: global memory's words; or the atomics_block words of each
  /// block's shared memory, afterwards
  void* words = nullptr;
  /// device: for each thread of the grid, as wide as a word: the sum of the bits of all old values,
  /// modulo 2^32 or 2^64; after CompareAndSwap the number of swaps. Only where returns_old().
  void* returned = nullptr;
  WarpTimes* times = nullptr;  ///< device: one a warp
};

/// Starts it in the default stream. The end in `times` comes after the
/// warp's updates were carried out.
/// @throws std::logic_error for an operation that the type has not
void start_atomics(const AtomicsJob& job);

}  // namespace memstencil::probes
