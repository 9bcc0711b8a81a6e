// Probe atomics: the updates of a thread in inline PTX, the timed kernel, and the words
// that they leave.
#pragma once

#include "app/membench/core/gpu.cuh"

#include <climits>

namespace memstencil::membench {

/// Integers (unsigned) take all operations, floating-point numbers additions.
enum class AtomicOperation { Add, Min, Max, And, Or, Xor };
enum class AtomicMemory { Global, Shared };

/// Threads of a block; one block runs on each SM.
constexpr int atomics_block = 1024;
/// Updates in the body of the timed loop.
constexpr int atomics_body = 16;

struct AtomicsWork {
  int one;  // 1, which the compiler must not know: it has an instruction of its own for adding 1
  int shift, pitch, iterations;
  std::uint64_t initial;
  void* words;
  Clocks clocks;
};

/// The operand of update number `update` (from 0) of a thread of the grid. With min and max each
/// update goes beyond the thread's last one; and and or take turns with two bits, because the
/// assembler leaves out an update that would change nothing.
template <class T>
__host__ __device__ T atomic_operand(AtomicOperation operation, unsigned thread, unsigned update) {
  using enum AtomicOperation;
  const T middle = T(0x40000000) + thread;
  if (operation == Add) return 1;
  if (operation == Min) return middle - update;
  if (operation == Max) return middle + update;
  const T bit = T(1) << ((thread + (operation == Xor ? 0 : update % 2)) % (CHAR_BIT * sizeof(T)));
  return operation == And ? ~bit : bit;
}

/// in(word, operand) for a word in global memory (64-bit address) or in shared memory (32-bit
/// address), in inline PTX: of CUDA's own functions the compiler makes one if several in a row
/// do the same (and, or), and a population count of an addition of 1.
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

/// The operands of a thread's updates, one after the other, as atomic_operand() gives them.
template <AtomicOperation Operation, class T>
struct Operands {
  T now, then;
  __device__ __forceinline__ Operands(unsigned thread, int one)
      : now(static_cast<T>(one)), then(now) {
    if constexpr (Operation != AtomicOperation::Add) {
      now = atomic_operand<T>(Operation, thread, 0);
      then = atomic_operand<T>(Operation, thread, 1);
    }
  }
  __device__ __forceinline__ T next() {
    const T operand = now;
    if constexpr (Operation == AtomicOperation::Min) --now;
    if constexpr (Operation == AtomicOperation::Max) ++now;
    if constexpr (Operation == AtomicOperation::And || Operation == AtomicOperation::Or) {
      now = then;
      then = operand;
    }
    return operand;
  }
};

/// A thread's updates, one before the clock starts (so that word and code are where they will be).
template <AtomicOperation Operation, class T, class Address>
__device__ __forceinline__ void time_updates(Address word, Operands<Operation, T> operands,
                                             const AtomicsWork& work) {
  Update<Operation, T>::in(word, operands.next());
  __syncthreads();

  const std::int64_t begin = sm_clock();
#pragma unroll 1
  for (int n = 0; n < work.iterations; ++n) {
#pragma unroll
    for (int k = 0; k < atomics_body; ++k) Update<Operation, T>::in(word, operands.next());
  }
  __threadfence();  // an update is sent off and not waited for
  leave_times(work.clocks, {begin, sm_clock()});
}

template <AtomicMemory Memory, AtomicOperation Operation, class T>
__global__ void __launch_bounds__(atomics_block, 1)
    atomics(const __grid_constant__ AtomicsWork work) {
  const unsigned thread = blockIdx.x * atomics_block + threadIdx.x;
  const Operands<Operation, T> operands(thread, work.one);
  T* const words = static_cast<T*>(work.words);
  const auto place = [&](unsigned t) {
    return (t >> work.shift) * static_cast<unsigned>(work.pitch);
  };
  if constexpr (Memory == AtomicMemory::Global) {
    time_updates(reinterpret_cast<std::uint64_t>(words + place(thread)), operands, work);
  } else {
    __shared__ T own[atomics_block];
    own[threadIdx.x] = static_cast<T>(work.initial);
    __syncthreads();
    const auto word =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(own + place(threadIdx.x)));
    time_updates(word, operands, work);
    __syncthreads();
    words[thread] = own[threadIdx.x];
  }
}

/// All that a thread does to its word in `updates` updates.
template <class T>
T after_thread(AtomicOperation operation, T word, unsigned thread, unsigned updates) {
  if constexpr (std::is_integral_v<T>) {
    const T first = atomic_operand<T>(operation, thread, 0);
    const T second = atomic_operand<T>(operation, thread, 1);
    const T last = atomic_operand<T>(operation, thread, updates - 1);
    using enum AtomicOperation;
    if (operation == Min) return std::min(word, last);
    if (operation == Max) return std::max(word, last);
    if (operation == And) return word & first & second;
    if (operation == Or) return word | first | second;
    if (operation == Xor) return updates % 2 == 1 ? word ^ first : word;
  }
  return word + static_cast<T>(updates);
}

}  // namespace memstencil::membench
