// The instructions of probe atomics, in inline PTX: of CUDA's own functions the compiler makes one
// where several in a row do the same (and, or), and a population count of an addition of 1.
#pragma once

#include <climits>
#include <cstdint>

namespace memstencil::membench {

/// Integers (unsigned) take all operations, floating-point numbers those that add.
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
__host__ __device__ constexpr bool returns_old(AtomicOperation operation) {
  return operation == AtomicOperation::AddReturning || operation == AtomicOperation::Exchange ||
         operation == AtomicOperation::CompareAndSwap;
}

/// Additions are there for all types.
__host__ __device__ constexpr bool adds(AtomicOperation operation) {
  return operation == AtomicOperation::Add || operation == AtomicOperation::AddReturning ||
         operation == AtomicOperation::PlainAdd;
}

enum class AtomicMemory { Global, Shared };

/// Threads of a block; one block runs on each SM.
constexpr int atomics_block = 1024;
/// Updates in the body of the timed loop.
constexpr int atomics_body = 16;
/// The operands of exchanges of neighbouring threads are so far apart: more than a thread's
/// updates, and few enough for 32 bits on any GPU.
constexpr int exchange_step = 8192;

/// The operand of update number `update` (from 0) of a thread of the grid. With min and max each
/// update goes beyond the thread's last one; and and or take turns with two bits, because the
/// assembler leaves out an update that would change nothing.
template <class T>
__host__ __device__ T atomic_operand(AtomicOperation operation, unsigned thread, unsigned update) {
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

/// in(word, operand) for a word in global memory (64-bit address) or in shared memory (32-bit
/// address). What returns_old() gives the bits that were there.
template <AtomicOperation, class T>
struct Update;

#define MEMSTENCIL_UPDATE(OPERATION, TYPE, INSTRUCTION, CONSTRAINT)                \
  template <>                                                                      \
  struct Update<AtomicOperation::OPERATION, TYPE> {                                \
    static __device__ __forceinline__ void in(std::uint64_t word, TYPE operand) {  \
      asm volatile("red.relaxed.gpu.global." INSTRUCTION " [%0], %1;" ::"l"(word), \
                   CONSTRAINT(operand)                                             \
                   : "memory");                                                    \
    }                                                                              \
    static __device__ __forceinline__ void in(std::uint32_t word, TYPE operand) {  \
      asm volatile("red.relaxed.cta.shared." INSTRUCTION " [%0], %1;" ::"r"(word), \
                   CONSTRAINT(operand)                                             \
                   : "memory");                                                    \
    }                                                                              \
  };

MEMSTENCIL_UPDATE(Add, std::uint32_t, "add.u32", "r")
MEMSTENCIL_UPDATE(Min, std::uint32_t, "min.u32", "r")
MEMSTENCIL_UPDATE(Max, std::uint32_t, "max.u32", "r")
MEMSTENCIL_UPDATE(And, std::uint32_t, "and.b32", "r")
MEMSTENCIL_UPDATE(Or, std::uint32_t, "or.b32", "r")
MEMSTENCIL_UPDATE(Xor, std::uint32_t, "xor.b32", "r")
MEMSTENCIL_UPDATE(Add, std::uint64_t, "add.u64", "l")
MEMSTENCIL_UPDATE(Min, std::uint64_t, "min.u64", "l")
MEMSTENCIL_UPDATE(Max, std::uint64_t, "max.u64", "l")
MEMSTENCIL_UPDATE(And, std::uint64_t, "and.b64", "l")
MEMSTENCIL_UPDATE(Or, std::uint64_t, "or.b64", "l")
MEMSTENCIL_UPDATE(Xor, std::uint64_t, "xor.b64", "l")
MEMSTENCIL_UPDATE(Add, float, "add.f32", "f")
MEMSTENCIL_UPDATE(Add, double, "add.f64", "d")
#undef MEMSTENCIL_UPDATE

// BITS is the type of the old value's bits, and how inline PTX takes it.
#define MEMSTENCIL_UPDATE_RETURNING(OPERATION, TYPE, INSTRUCTION, BITS, BITS_CONSTRAINT, ...) \
  template <>                                                                                 \
  struct Update<AtomicOperation::OPERATION, TYPE> {                                           \
    static __device__ __forceinline__ BITS in(std::uint64_t word, TYPE operand) {             \
      BITS old;                                                                               \
      asm volatile("atom.relaxed.gpu.global." INSTRUCTION                                     \
                   : "=" BITS_CONSTRAINT(old)                                                 \
                   : "l"(word), __VA_ARGS__                                                   \
                   : "memory");                                                               \
      return old;                                                                             \
    }                                                                                         \
    static __device__ __forceinline__ BITS in(std::uint32_t word, TYPE operand) {             \
      BITS old;                                                                               \
      asm volatile("atom.relaxed.cta.shared." INSTRUCTION                                     \
                   : "=" BITS_CONSTRAINT(old)                                                 \
                   : "r"(word), __VA_ARGS__                                                   \
                   : "memory");                                                               \
      return old;                                                                             \
    }                                                                                         \
  };

MEMSTENCIL_UPDATE_RETURNING(AddReturning, std::uint32_t, "add.u32 %0, [%1], %2;", std::uint32_t,
                            "r", "r"(operand))
MEMSTENCIL_UPDATE_RETURNING(AddReturning, std::uint64_t, "add.u64 %0, [%1], %2;", std::uint64_t,
                            "l", "l"(operand))
MEMSTENCIL_UPDATE_RETURNING(AddReturning, float, "add.f32 %0, [%1], %2;", float, "f", "f"(operand))
MEMSTENCIL_UPDATE_RETURNING(AddReturning, double, "add.f64 %0, [%1], %2;", double, "d",
                            "d"(operand))
MEMSTENCIL_UPDATE_RETURNING(Exchange, std::uint32_t, "exch.b32 %0, [%1], %2;", std::uint32_t, "r",
                            "r"(operand))
MEMSTENCIL_UPDATE_RETURNING(Exchange, std::uint64_t, "exch.b64 %0, [%1], %2;", std::uint64_t, "l",
                            "l"(operand))
MEMSTENCIL_UPDATE_RETURNING(CompareAndSwap, std::uint32_t, "cas.b32 %0, [%1], %2, %3;",
                            std::uint32_t, "r", "r"(operand), "r"(operand + 1))
MEMSTENCIL_UPDATE_RETURNING(CompareAndSwap, std::uint64_t, "cas.b64 %0, [%1], %2, %3;",
                            std::uint64_t, "l", "l"(operand), "l"(operand + 1))
#undef MEMSTENCIL_UPDATE_RETURNING

#define MEMSTENCIL_UPDATE_PLAIN(TYPE, NAME, CONSTRAINT)                                      \
  template <>                                                                                \
  struct Update<AtomicOperation::PlainAdd, TYPE> {                                           \
    static __device__ __forceinline__ void in(std::uint64_t word, TYPE operand) {            \
      TYPE value;                                                                            \
      asm volatile("ld.relaxed.cta.global." NAME " %0, [%1];"                                \
                   : "=" CONSTRAINT(value)                                                   \
                   : "l"(word)                                                               \
                   : "memory");                                                              \
      value += operand;                                                                      \
      asm volatile("st.relaxed.cta.global." NAME " [%0], %1;" ::"l"(word), CONSTRAINT(value) \
                   : "memory");                                                              \
    }                                                                                        \
    static __device__ __forceinline__ void in(std::uint32_t word, TYPE operand) {            \
      TYPE value;                                                                            \
      asm volatile("ld.relaxed.cta.shared." NAME " %0, [%1];"                                \
                   : "=" CONSTRAINT(value)                                                   \
                   : "r"(word)                                                               \
                   : "memory");                                                              \
      value += operand;                                                                      \
      asm volatile("st.relaxed.cta.shared." NAME " [%0], %1;" ::"r"(word), CONSTRAINT(value) \
                   : "memory");                                                              \
    }                                                                                        \
  };

MEMSTENCIL_UPDATE_PLAIN(std::uint32_t, "u32", "r")
MEMSTENCIL_UPDATE_PLAIN(std::uint64_t, "u64", "l")
MEMSTENCIL_UPDATE_PLAIN(float, "f32", "f")
MEMSTENCIL_UPDATE_PLAIN(double, "f64", "d")
#undef MEMSTENCIL_UPDATE_PLAIN

}  // namespace memstencil::membench
