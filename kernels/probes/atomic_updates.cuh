// The instructions of probe atomics, in inline PTX: of CUDA's own functions the compiler makes one
// where several in a row do the same (and, or), and a population count of an addition of 1.
#pragma once

#include "kernels/probes/atomics.hpp"

namespace memstencil::probes {

/// in(word, operand) for a word in global memory (64-bit address) or in
/// shared memory (32-bit address).
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

}  // namespace memstencil::probes
