// The chains of probe issue: for each instruction its state, one step of it
// in inline PTX, and its end.
#pragma once

#include <cuda_fp16.h>

#include <array>
#include <cstdint>

namespace memstencil::membench {

/// The instructions of the timed loop. Each instruction needs the result of
/// the one before in its chain.
enum class Instruction {
  Fp32Fma,
  Fp64Fma,
  Fp16x2Fma,
  Int32Add,  ///< of three operands
  Int32Mad,
  Exp2,
  Rsqrt,
  SharedLoad,   ///< 4 bytes a lane, no bank conflict
  SharedStore,  ///< 4 bytes a lane, no bank conflict; nothing depends on a store
  L1Load,       ///< 8 bytes a lane, neighbouring
  // Mixes: a step is so many FP32 FMAs and one other instruction, none of which waits for another
  // of the step. If each unit keeps the rate that it has alone, they fill all four schedulers.
  Fp32AndFp64,        ///< 1 and an FP64 FMA
  Fp32AndSharedLoad,  ///< 3 and a SharedLoad
  Fp32AndRsqrt,       ///< 7 and a Rsqrt
  // Shuffles of 32 bits over the whole warp
  ShuffleIdx,   ///< from the next lane, cyclic
  ShuffleUp,    ///< from the lane below
  ShuffleDown,  ///< from the lane above
  ShuffleXor    ///< as ShuffleIdx, by the mask that brings a lane there
};
constexpr std::array all_instructions{
    Instruction::Fp32Fma,      Instruction::Fp64Fma,     Instruction::Fp16x2Fma,
    Instruction::Int32Add,     Instruction::Int32Mad,    Instruction::Exp2,
    Instruction::Rsqrt,        Instruction::SharedLoad,  Instruction::SharedStore,
    Instruction::L1Load,       Instruction::Fp32AndFp64, Instruction::Fp32AndSharedLoad,
    Instruction::Fp32AndRsqrt, Instruction::ShuffleIdx,  Instruction::ShuffleUp,
    Instruction::ShuffleDown,  Instruction::ShuffleXor};

/// Independent instructions that are compiled: all divide the loop's body.
constexpr std::array issue_ilps{1, 2, 3, 4, 6, 8};
/// Instructions of the kind in the body of the timed loop.
constexpr int issue_body = 480;
/// Loads walk a ring of so many rows of 32 addresses, a row an instruction.
constexpr int ring_rows = 16;

/// Instructions that a step of a chain consists of: independent
/// instructions come in multiples of it.
__host__ __device__ constexpr int instructions_a_step(Instruction instruction) {
  switch (instruction) {
    case Instruction::Fp32AndFp64:
      return 2;
    case Instruction::Fp32AndSharedLoad:
      return 4;
    case Instruction::Fp32AndRsqrt:
      return 8;
    default:
      return 1;
  }
}

/// An SM has four quarters, each with a scheduler. Warp n of a block runs on quarter n % 4.
constexpr int quarters = 4;

/// The data that all chains share. `one` is 1 and comes from memory: the compiler must not know it.
struct Surroundings {
  int one;
  /// 1 in both halves. Where the assembler sees that they are the same it takes a form that only
  /// HFMA2 has, and not HFMA2.MMA every other time, to use two pipes.
  std::uint32_t half_ones;
  std::uint32_t shared_ring;  ///< the ring of 4-byte addresses in shared memory
  std::uint32_t shared_ones;  ///< 32 FP32 numbers there, all 1
  const std::uint64_t* ring;
};

/// start(chain, lane, around): before the loop; step(): the instruction;
/// end(): the value that is checked.
template <Instruction>
struct Chain;

template <>
struct Chain<Instruction::Fp32Fma> {
  float x, one;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    x = static_cast<float>(chain + lane);
    one = static_cast<float>(around.one);
  }
  __device__ void step() { asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(one)); }
  __device__ double end() const { return x; }
};

template <>
struct Chain<Instruction::Fp64Fma> {
  double x, one;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    x = chain + lane;
    one = around.one;
  }
  __device__ void step() { asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(x) : "d"(one)); }
  __device__ double end() const { return x; }
};

template <>
struct Chain<Instruction::Fp16x2Fma> {
  std::uint32_t x, one;
  static __device__ std::uint32_t both(int value) {
    const unsigned half = __half_as_ushort(__int2half_rn(value));
    return half << 16 | half;
  }
  __device__ void start(int chain, int lane, const Surroundings& around) {
    x = both(chain + lane);
    one = around.half_ones;
  }
  __device__ void step() { asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(x) : "r"(one)); }
  __device__ double end() const {
    const auto half = [](std::uint32_t bits) {
      return __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
    };
    return half(x & 0xFFFF) + half(x >> 16);
  }
};

/// x = x + last x + 1, modulo 2^32, which is one IADD3. One and the same number added
/// again and again the assembler would fold, and of sums of two it makes IMADs every
/// other time, to use two pipes.
template <>
struct Chain<Instruction::Int32Add> {
  std::uint32_t x, last, one;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    x = static_cast<std::uint32_t>(chain + lane);
    last = one = static_cast<std::uint32_t>(around.one);
  }
  __device__ void step() {
    asm volatile("{ .reg .u32 y; add.u32 y, %0, %1; add.u32 %0, y, %2; }"
                 : "+r"(last)
                 : "r"(x), "r"(one));
    const std::uint32_t sum = last;
    last = x;
    x = sum;
  }
  __device__ double end() const { return x; }
};

template <>
struct Chain<Instruction::Int32Mad> {
  std::uint32_t x, one;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    x = static_cast<std::uint32_t>(chain + lane);
    one = static_cast<std::uint32_t>(around.one);
  }
  __device__ void step() { asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(one)); }
  __device__ double end() const { return x; }
};

/// x = 2^-x, which goes to 0.6411857...: the minus sign is part of the instruction.
template <>
struct Chain<Instruction::Exp2> : Chain<Instruction::Fp32Fma> {
  __device__ void step() {
    asm volatile("{ .reg .f32 y; neg.f32 y, %0; ex2.approx.ftz.f32 %0, y; }" : "+f"(x));
  }
};

/// x = 1 / sqrt(x), which goes to 1. Starts above 0.
template <>
struct Chain<Instruction::Rsqrt> : Chain<Instruction::Fp32Fma> {
  __device__ void start(int chain, int lane, const Surroundings&) {
    x = static_cast<float>(chain + lane + 1);
  }
  __device__ void step() { asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x)); }
};

/// The address that is loaded is the next one to load from; the end is the row it has come to.
template <>
struct Chain<Instruction::SharedLoad> {
  std::uint32_t address, base;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    base = around.shared_ring;
    address = base + static_cast<std::uint32_t>(4 * (32 * chain + lane));
  }
  __device__ void step() { asm volatile("ld.shared.u32 %0, [%0];" : "+r"(address)::"memory"); }
  __device__ double end() const { return (address - base) / (4 * 32); }
};

/// Writes what stands there already, so that all warps may write at once; the end is read back.
template <>
struct Chain<Instruction::SharedStore> {
  std::uint32_t address, value;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    address = around.shared_ring + static_cast<std::uint32_t>(4 * (32 * chain + lane));
    value = static_cast<std::uint32_t>(chain + lane + around.one);
  }
  __device__ void step() {
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
  }
  __device__ double end() const {
    std::uint32_t stored = 0;
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(stored) : "r"(address) : "memory");
    return stored;
  }
};

template <>
struct Chain<Instruction::L1Load> {
  const std::uint64_t* ring;
  std::uint64_t address;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    ring = around.ring;
    address =
        reinterpret_cast<std::uint64_t>(ring + 32 * ((chain + ring_rows - 1) % ring_rows) + lane);
    step();  // to its own row by a load: of a computed address the loop would make copies
  }
  __device__ void step() { asm volatile("ld.global.u64 %0, [%0];" : "+l"(address)::"memory"); }
  __device__ double end() const {
    return static_cast<double>((address - reinterpret_cast<std::uint64_t>(ring)) / (8 * 32));
  }
};

template <>
struct Chain<Instruction::Fp32AndFp64> {
  Chain<Instruction::Fp32Fma> single;
  Chain<Instruction::Fp64Fma> twice;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    single.start(chain, lane, around);
    twice.start(chain, lane, around);
  }
  __device__ void step() {
    single.step();
    twice.step();
  }
  __device__ double end() const { return single.end() + twice.end(); }
};

/// `Singles` FP32 FMAs x = x * factor + 1 and one other instruction, which makes the factor, a 1,
/// of five steps later: so they need not wait for it, and the assembler can put neither of the two
/// kinds far ahead of the other. `Other` has start(lane, around) and next(factor).
template <int Singles, class Other>
struct MixedChain {
  static constexpr int lead = 5;  // divides the steps of a loop's body
  Other other;
  float x[Singles], factor[lead], one;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    other.start(lane, around);
    one = static_cast<float>(around.one);
    for (int n = 0; n < Singles; ++n) x[n] = static_cast<float>(Singles * chain + n + lane);
    for (int n = 0; n < lead; ++n) factor[n] = one;
  }
  __device__ void step() {
    const float now = factor[0];
#pragma unroll
    for (int n = 0; n + 1 < lead; ++n) factor[n] = factor[n + 1];
    factor[lead - 1] = other.next(now);
#pragma unroll
    for (int n = 0; n < Singles; ++n)
      asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[n]) : "f"(now), "f"(one));
  }
  __device__ double end() const {
    double sum = 0;
    for (int n = 0; n < Singles; ++n) sum += x[n];
    return sum;
  }
};

struct LoadedOne {
  std::uint32_t address;
  __device__ void start(int lane, const Surroundings& around) {
    address = around.shared_ones + static_cast<std::uint32_t>(4 * lane);
  }
  __device__ float next(float) {
    float word = 0;
    asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(word) : "r"(address) : "memory");
    return word;
  }
};

struct RootOfOne {
  __device__ void start(int, const Surroundings&) {}
  __device__ float next(float one) {
    asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(one));
    return one;
  }
};

template <>
struct Chain<Instruction::Fp32AndSharedLoad> : MixedChain<3, LoadedOne> {};
template <>
struct Chain<Instruction::Fp32AndRsqrt> : MixedChain<7, RootOfOne> {};

/// Where a lane's value comes from is a register, as in a program that works it out: so idx and xor
/// can turn the warp's values round by a lane, and the end tells the number of steps.
struct ShuffleChain {
  std::uint32_t x, from;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    x = static_cast<std::uint32_t>(chain + lane);
    from = static_cast<std::uint32_t>((lane + around.one) % 32);
  }
  __device__ double end() const { return x; }
};

template <>
struct Chain<Instruction::ShuffleIdx> : ShuffleChain {
  __device__ void step() {
    asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;" : "+r"(x) : "r"(from));
  }
};

template <>
struct Chain<Instruction::ShuffleXor> : ShuffleChain {
  __device__ void start(int chain, int lane, const Surroundings& around) {
    ShuffleChain::start(chain, lane, around);
    from ^= static_cast<std::uint32_t>(lane);
  }
  __device__ void step() {
    asm volatile("shfl.sync.bfly.b32 %0, %0, %1, 31, 0xffffffff;" : "+r"(x) : "r"(from));
  }
};

/// Ends with the value of lane 0.
template <>
struct Chain<Instruction::ShuffleUp> : ShuffleChain {
  __device__ void step() { asm volatile("shfl.sync.up.b32 %0, %0, 1, 0, 0xffffffff;" : "+r"(x)); }
};

/// Ends with the value of lane 31.
template <>
struct Chain<Instruction::ShuffleDown> : ShuffleChain {
  __device__ void step() {
    asm volatile("shfl.sync.down.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(x));
  }
};

}  // namespace memstencil::membench
