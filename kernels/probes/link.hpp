// Transfers between memories: by the copy engines and by a kernel, in one stream or in two at once.
#pragma once

#include "kernels/portable.hpp"

#include <cstddef>
#include <cstdint>

namespace memstencil::probes {

/// One transfer: `count` doubles (even, under 2^41), both pointers aligned to 16 bytes; for a
/// kernel they must be good for the GPU, the copy engine takes any memory.
struct Transfer {
  double* to;
  const double* from;
  std::size_t count;
};

/// The mover of the bytes: cudaMemcpyAsync, or a kernel whose threads read
/// and write 16 bytes at a time.
enum class Mover { CopyEngine, Kernel };

/// Seconds of `times` transfers, one after the other in the default stream, by events (clocks.hpp).
/// @throws CudaError
double transfer_seconds(const Transfer& transfer, Mover mover, int times);

/// Seconds until both series of `times` transfers have ended, each in a stream
/// of its own, started at once.
/// @throws CudaError
double transfer_seconds_at_once(const Transfer& one, const Transfer& other, Mover mover, int times);

/// Steps of a thread in one pass of Arithmetic.
inline constexpr int work_steps = 256;
/// x after one step.
MEMSTENCIL_FUNCTION std::uint32_t work_step(std::uint32_t x) { return x * 1664525U + 1013904223U; }

/// Work of the multiprocessors beside a transfer, `passes` times. Memory copies within the GPU's
/// memory; Arithmetic makes work_steps steps on each of `words` words (one a thread) and touches no
/// other memory.
struct Work {
  enum class Kind { Arithmetic, Memory } kind = Kind::Arithmetic;
  Transfer inside = {};
  std::uint32_t* first = nullptr;
  std::uint32_t words = 0;  ///< a multiple of 256
  int passes = 1;
};

/// Seconds until the transfer by the copy engine and the work, of which one may be missing (null),
/// have ended: each in a stream of its own, started at once. @throws CudaError
double seconds_beside(const Transfer* transfer, const Work* work);

}  // namespace memstencil::probes
