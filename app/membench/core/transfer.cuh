// Transfers between memories: by the copy engines and by a kernel, alone and while others go on.
#pragma once

#include "app/membench/core/gpu.cuh"

#ifdef MEMSTENCIL_CUDA
namespace memstencil::membench {

/// The mover of the bytes: cudaMemcpyAsync, or a kernel whose threads read and write 16 bytes at a
/// time, on the whole GPU or (with another one) on half of it. A reader adds the words of `from`
/// to the first of `to`, modulo 2^64; a writer fills `to` with `from` again and again, which has
/// probes::block_count elements.
enum class Mover { CopyEngine, Kernel, KernelOnHalf, Reader, Writer };

/// All of an array but an odd last double, by a GPU that reaches both (an engine reaches any).
struct Transfer {
  const Array* to;
  const Array* from;
  Mover mover = Mover::CopyEngine;
  int gpu = -1;  ///< -1: the current one
};

/// Makes a GPU current as long as it lives; -1: leaves the current one.
class Current : NotCopied {
public:
  explicit Current(int gpu);
  ~Current() { cudaSetDevice(before_); }

private:
  int before_ = 0;
};

/// Lets kernels of GPU `one` reach the memory of `other`. @return can they? @throws as check
bool connect(int one, int other);

/// Puts it into a stream of the current GPU. @throws as check
void start_transfer(const Transfer& transfer, cudaStream_t stream);

/// Seconds of `times` transfers of the first kind, one after the other, while the others
/// go on: they have begun before, and end later. By events, and by the host's clock if an engine
/// copies pageable memory. @throws Failure(Machine) if they do not go on at once
double transfer_seconds(const std::vector<Transfer>& transfers, int times);

}  // namespace memstencil::membench
#endif
