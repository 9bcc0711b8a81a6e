// The chains of probe issue: of each instruction its state, one step of it in inline PTX, its end,
// and the end that is right.
#pragma once

#include <cuda_fp16.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

namespace memstencil::membench {

/// Rows of the ring that loads walk, each of 32 addresses, a row an instruction.
constexpr int ring_rows = 16;

/// The data that all chains share. `one` is 1 and comes from memory: the compiler must not know it.
struct Surroundings {
  int one;
  /// 1 in both halves. If the assembler sees that they are the same it takes a form that only
  /// HFMA2 has, and not HFMA2.MMA every other time, to use two pipes.
  std::uint32_t half_ones;
  std::uint32_t* shared_ring;  ///< of 4-byte addresses in shared memory
  std::uint32_t shared_ones;   ///< address there of 32 FP32 numbers, all 1
  const std::uint64_t* ring;
};

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// A chain has
//   start(chain, lane, around): before the loop; `chain` is its number
//   step(): the instruction, which needs the result of the one before in its chain
//   end(): the value that is checked, and right(chain, lane, steps), the value that is right
//   parts: instructions of a step. Independent instructions come in multiples of it.
//   allowed: the error of a chain's end that its approximations allow.

/// A number in a register, with the parts of most chains.
template <class T>
struct InRegister {
  static constexpr int parts = 1;
  static constexpr double allowed = 0;
  static double right(int chain, int lane, int steps) { return chain + lane + steps; }
  T x, one;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    x = static_cast<T>(chain + lane);
    one = static_cast<T>(around.one);
  }
  __device__ double end() const { return x; }
};

struct Fp32Fma : InRegister<float> {
  __device__ void step() { asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(one)); }
};
struct Fp64Fma : InRegister<double> {
  __device__ void step() { asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(x) : "d"(one)); }
};
struct Int32Mad : InRegister<std::uint32_t> {
  __device__ void step() { asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(one)); }
};

struct Fp16x2Fma : InRegister<std::uint32_t> {
  __device__ void start(int chain, int lane, const Surroundings& around) {
    const unsigned half = __half_as_ushort(__int2half_rn(chain + lane));
    x = half << 16 | half;
    one = around.half_ones;
  }
  __device__ void step() { asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(x) : "r"(one)); }
  __device__ double end() const {
    const auto half = [](std::uint32_t bits) {
      return __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
    };
    return half(x & 0xFFFF) + half(x >> 16);
  }
  /// A half has 11 bits: at 2048 adding 1 changes nothing any more.
  static double right(int chain, int lane, int steps) {
    return 2 * std::min(chain + lane + steps, 2048);
  }
};

/// x = x + last x + 1, modulo 2^32, which is one IADD3. One and the same number added
/// again and again the assembler would fold, and of sums of two it makes IMADs every
/// other time, to use two pipes.
struct Int32Add : InRegister<std::uint32_t> {
  std::uint32_t last;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    InRegister::start(chain, lane, around);
    last = one;
  }
  __device__ void step() {
    asm volatile("{ .reg .u32 y; add.u32 y, %0, %1; add.u32 %0, y, %2; }"
                 : "+r"(last)
                 : "r"(x), "r"(one));
    const std::uint32_t sum = last;
    last = x;
    x = sum;
  }
  static double right(int chain, int lane, int steps) {
    auto number = static_cast<std::uint32_t>(chain + lane);
    std::uint32_t before = 1;
    for (int n = 0; n < steps; ++n) before = std::exchange(number, number + before + 1);
    return number;
  }
};

/// ex2.approx.ftz.f32 is within 2 units of the last place, rsqrt.approx.ftz.f32 within
/// 2^-22.9 relative (PTX ISA, ex2 and rsqrt); each step of the chains halves the errors
/// of earlier ones, or nearly.
struct Approximated : InRegister<float> {
  static constexpr double allowed = 1e-6;
};

/// x = 2^-x, which goes to the solution of 2^-x = x: the minus sign is part of the instruction.
struct Exp2 : Approximated {
  __device__ void step() {
    asm volatile("{ .reg .f32 y; neg.f32 y, %0; ex2.approx.ftz.f32 %0, y; }" : "+f"(x));
  }
  static double right(int, int, int) { return 0.641185744504986; }
};

/// x = 1 / sqrt(x), which goes to 1. Starts above 0.
struct Rsqrt : Approximated {
  __device__ void start(int chain, int lane, const Surroundings& around) {
    InRegister::start(chain, lane + 1, around);
  }
  __device__ void step() { asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x)); }
  static double right(int, int, int) { return 1; }
};

/// 4 bytes a lane, no bank conflict. The address that is loaded is the next one to load from; the
/// end is the row it has come to.
struct SharedLoad : InRegister<std::uint32_t> {
  std::uint32_t base;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    base = shared_address(around.shared_ring);
    x = base + static_cast<std::uint32_t>(4 * (32 * chain + lane));
  }
  __device__ void step() { asm volatile("ld.shared.u32 %0, [%0];" : "+r"(x)::"memory"); }
  __device__ double end() const { return (x - base) / (4 * 32); }
  static double right(int chain, int, int steps) { return (chain + steps) % ring_rows; }
};

/// 4 bytes a lane, no bank conflict; nothing depends on a store. All warps write the same; the end
/// is read back. The words are indexed, not addressed, so that all chains share an address: eight
/// addresses and values did not fit into 32 registers, and were worked out again in the loop.
struct SharedStore : InRegister<std::uint32_t> {
  volatile std::uint32_t* word;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    word = around.shared_ring + 32 * chain + lane;
    x = static_cast<std::uint32_t>(lane + around.one);
  }
  __device__ void step() { *word = x; }
  __device__ double end() const { return *word; }
  static double right(int, int lane, int) { return lane + 1; }
};

/// 8 bytes a lane, neighbouring.
struct L1Load : InRegister<std::uint64_t> {
  const std::uint64_t* ring;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    ring = around.ring;
    x = reinterpret_cast<std::uint64_t>(ring + 32 * ((chain + ring_rows - 1) % ring_rows) + lane);
    step();  // to its own row by a load: of a computed address the loop would make copies
  }
  __device__ void step() { asm volatile("ld.global.u64 %0, [%0];" : "+l"(x)::"memory"); }
  __device__ double end() const {
    return static_cast<double>((x - reinterpret_cast<std::uint64_t>(ring)) / (8 * 32));
  }
  static double right(int chain, int, int steps) { return (chain + steps) % ring_rows; }
};

// Mixes: a step is one other instruction and as many FP32 FMAs as the mix has; none of them waits
// for another. If each unit keeps the rate that it has alone, they fill all four schedulers.

struct Fp32AndFp64 {
  static constexpr int parts = 2;
  static constexpr double allowed = 0;
  static double right(int chain, int lane, int steps) { return 2 * (chain + lane + steps); }
  Fp32Fma single;
  Fp64Fma twice;
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
  static constexpr int parts = Singles + 1;
  static constexpr int lead = 5;  // divides the steps of a loop's body
  static double right(int chain, int lane, int steps) {
    double sum = 0;
    for (int n = 0; n < Singles; ++n) sum += Singles * chain + n + lane + steps;
    return sum;
  }
  static constexpr double allowed = 0;
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

struct Fp32AndSharedLoad : MixedChain<3, LoadedOne> {};
struct Fp32AndRsqrt : MixedChain<7, RootOfOne> {
  /// Each of n steps multiplies by a root of 1, which is off by up to 2.6e-7: together n^2 / 2
  /// times that, about half a step of 2000 in each of the seven numbers.
  static constexpr double allowed = 0.6 * 7;
};

/// Shuffles of 32 bits over the whole warp. The lane that a value comes from is in a register, as
/// in a program that works it out: so idx and xor can turn the warp's values round by a lane, and
/// the end shows the number of steps.
struct ShuffleIdx : InRegister<std::uint32_t> {
  std::uint32_t from;
  __device__ void start(int chain, int lane, const Surroundings& around) {
    x = static_cast<std::uint32_t>(chain + lane);
    from = static_cast<std::uint32_t>((lane + around.one) % 32);
  }
  __device__ void step() {
    asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;" : "+r"(x) : "r"(from));
  }
  static double right(int chain, int lane, int steps) { return chain + (lane + steps) % 32; }
};

/// As ShuffleIdx, by the mask that brings a lane there.
struct ShuffleXor : ShuffleIdx {
  __device__ void start(int chain, int lane, const Surroundings& around) {
    ShuffleIdx::start(chain, lane, around);
    from ^= static_cast<std::uint32_t>(lane);
  }
  __device__ void step() {
    asm volatile("shfl.sync.bfly.b32 %0, %0, %1, 31, 0xffffffff;" : "+r"(x) : "r"(from));
  }
};

struct ShuffleUp : InRegister<std::uint32_t> {
  __device__ void step() { asm volatile("shfl.sync.up.b32 %0, %0, 1, 0, 0xffffffff;" : "+r"(x)); }
  static double right(int chain, int lane, int steps) { return chain + std::max(lane - steps, 0); }
};

struct ShuffleDown : InRegister<std::uint32_t> {
  __device__ void step() {
    asm volatile("shfl.sync.down.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(x));
  }
  static double right(int chain, int lane, int steps) { return chain + std::min(lane + steps, 31); }
};

/// In the order of the names of probe issue.
using Chains = std::tuple<Fp32Fma, Fp64Fma, Fp16x2Fma, Int32Add, Int32Mad, Exp2, Rsqrt, SharedLoad,
                          SharedStore, L1Load, Fp32AndFp64, Fp32AndSharedLoad, Fp32AndRsqrt,
                          ShuffleIdx, ShuffleUp, ShuffleDown, ShuffleXor>;

}  // namespace memstencil::membench
