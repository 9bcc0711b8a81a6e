// Transfers between memories: by the copy engines and by a kernel, in one stream or in two at once.
#pragma once

#include <cstddef>

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

}  // namespace memstencil::probes
