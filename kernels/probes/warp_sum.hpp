// Probe warp: sums over the threads of a warp or of a block, one after the other.
#pragma once

#include "kernels/probes/clocks.hpp"

#include <array>

namespace memstencil::probes {

enum class SumMethod {
  Shuffle,   ///< __shfl_xor_sync; the warps of a block meet in shared memory
  Shared,    ///< a tree in shared memory
  Hardware,  ///< __reduce_add_sync, integers only; the warps of a block meet in shared memory
  Cub        ///< cub::WarpReduce, cub::BlockReduce
};
inline constexpr std::array all_sum_methods{SumMethod::Shuffle, SumMethod::Shared,
                                            SumMethod::Hardware, SumMethod::Cub};
enum class SumScope { Warp, Block };

/// Threads of the blocks whose sums are taken.
inline constexpr int sum_block = 256;
/// Sums that are taken before the clock starts: once through the timed loop.
inline constexpr int sums_before = 16;

/// The value that a group's first thread adds to its own for the next sum, as a part of the last
/// one: so each sum needs the one before. An odd factor, so that integers lose nothing modulo 2^32.
template <class T>
inline constexpr T sum_carry = T(1) / T(2);
template <>
inline constexpr int sum_carry<int> = 3;

/// One launch. A group is a warp or a block of sum_block threads; thread t of it has
/// the value t % 7. In sum k + 1 the first thread's value is its own and sum_carry
/// times sum k; sum 0 has no carry.
template <class T>
struct SumJob {
  SumMethod method = SumMethod::Shuffle;
  SumScope scope = SumScope::Warp;
  int sums = 0;  ///< timed, a multiple of sums_before; sums_before go before
  int blocks = 0;
  int threads = 0;  ///< of a block: 32 or sum_block in scope Warp, sum_block in scope Block
  T carry = sum_carry<T>;
  T* results = nullptr;        ///< device: the last sum of each group
  WarpTimes* times = nullptr;  ///< device: one a warp
};

/// Runs it and waits. T is int or float. @throws CudaError where the launch or the kernel failed
template <class T>
void run_sums(const SumJob<T>& job);

}  // namespace memstencil::probes
