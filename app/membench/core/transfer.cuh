// Transfers between memories: by the copy engines and by a kernel.
#pragma once

#include "app/membench/core/arrays.hpp"
#include "app/membench/core/gpu.cuh"

namespace memstencil::membench {

/// One transfer: `count` doubles (even, under 2^41), both pointers aligned to 16 bytes; for a
/// kernel they must be good for the GPU, the copy engine takes any memory.
struct Transfer {
  double* to = nullptr;
  const double* from = nullptr;
  std::size_t count = 0;
};
inline Transfer transfer(const Array& to, const Array& from) {
  return {to.data(), from.data(), to.count() / 2 * 2};
}

/// The mover of the bytes: cudaMemcpyAsync, or a kernel whose threads read and write 16 bytes at a
/// time, on the whole GPU or (beside another one) on half of it.
enum class Mover { CopyEngine, Kernel, KernelOnHalf };

/// Puts it into the stream. @throws as check
void start_transfer(const Transfer& transfer, Mover mover, cudaStream_t stream);

/// Seconds of `times` transfers, one after the other in the default stream.
double transfer_seconds(const Transfer& transfer, Mover mover, int times);

/// The same, while transfers of `other` go on all the time in another stream.
double seconds_against(const Transfer& transfer, const Transfer& other, Mover mover, int times);

}  // namespace memstencil::membench
