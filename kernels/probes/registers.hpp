// Probe registers: one kernel with many values alive at once, compiled
// for fewer and fewer registers.
#pragma once

#include <array>
#include <cstddef>

namespace memstencil::probes {

/// The most registers that a thread may have. The assembler takes nothing below 24 (its ABI's lower
/// bound), and a thread has room for 255.
inline constexpr std::array register_limits{24, 32,  40,  48,  63,  64, 80,
                                            96, 128, 160, 192, 224, 255};
/// The number of values that a thread keeps alive through its loop. An FP64 value takes two
/// registers: 48 and 112 take as many as 96 and 224 in FP32.
template <class T>
inline constexpr auto live_values = std::array{32, 96, 224};
template <>
inline constexpr auto live_values<double> = std::array{48, 112};
/// Threads of a block.
inline constexpr int registers_block = 256;

/// The resources that the compiler gave a kernel, and the occupancy that follows.
struct RegistersFacts {
  int registers = 0;  ///< a thread: cudaFuncGetAttributes' numRegs
  std::size_t spilled =
      0;  ///< bytes a thread: cudaFuncGetAttributes' localSizeBytes (nothing else is local)
  int resident_warps = 0;  ///< on an SM: cudaOccupancyMaxActiveBlocksPerMultiprocessor
};

/// T is float or double. Thread t of each block starts with the values x[i] = t / 2 + i, i < live.
/// In round r it reads v = input[r * registers_block + t], and each x[i] becomes x[i] * factor + v
/// in one rounding. Its result is x[0] + x[1] + ..., added in this order.
template <class T>
struct RegistersJob {
  int live = 0;   ///< one of live_values<T>
  int limit = 0;  ///< one of register_limits
  int rounds = 0;
  int blocks = 0;
  T factor = 0;
  const T* input = nullptr;  ///< device: rounds * registers_block
  T* results = nullptr;      ///< device: one a thread
};

/// @throws CudaError
template <class T>
RegistersFacts registers_facts(int live, int limit);
/// Starts it in the default stream.
template <class T>
void start_registers(const RegistersJob<T>& job);

}  // namespace memstencil::probes
