// Movement between the memory spaces of the CUDA backend.
#include "memory_spaces/movement.hpp"

#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/cuda_gpu.hpp"

#include <cstring>
#include <string>

namespace memstencil {

namespace {

#if CUDART_VERSION >= 13000
cudaMemLocation location(Executor target) {
  cudaMemLocation l{};
  l.type = target == Executor::Device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
  l.id = target == Executor::Device ? current_gpu() : 0;
  return l;
}
#else
int location(Executor target) {
  return target == Executor::Device ? current_gpu() : cudaCpuDeviceId;
}
#endif

}  // namespace

void copy(void* to, const void* from, std::size_t bytes) {
  check_gpu(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "cudaMemcpy");
  // Between two places of a GPU, and out of pageable memory, it returns before the copy is made.
  check_gpu(cudaStreamSynchronize(nullptr), "cudaMemcpy");
}

void start_copy(void* to, std::size_t to_step, const void* from, std::size_t from_step,
                const Pieces& pieces, void* stream) {
  auto* const queue = static_cast<cudaStream_t>(stream);
  // A copy in two dimensions has no steps of 2 GiB and more.
  if (pieces.count == 1)
    return check_gpu(cudaMemcpyAsync(to, from, pieces.bytes, cudaMemcpyDefault, queue),
                     "cudaMemcpyAsync");
  check_gpu(cudaMemcpy2DAsync(to, to_step, from, from_step, pieces.bytes, pieces.count,
                              cudaMemcpyDefault, queue),
            "cudaMemcpy2DAsync");
}

void fill(void* to, unsigned char byte, std::size_t bytes) {
  cudaPointerAttributes attributes{};
  check_gpu(cudaPointerGetAttributes(&attributes, to), "cudaPointerGetAttributes");
  if (attributes.type ==
      cudaMemoryTypeUnregistered) {  // pages of the operating system: the driver may not reach them
    std::memset(to, byte, bytes);
    return;
  }
  check_gpu(cudaMemset(to, byte, bytes), "cudaMemset");
  check_gpu(cudaDeviceSynchronize(), "cudaMemset");
}

void prefetch(const Buffer& buffer, Executor target) {
  if (const std::string reason = why_not_prefetch(buffer.kind()); !reason.empty())
    throw UnsupportedSpace(reason);
#if CUDART_VERSION >= 13000
  const cudaError_t error =
      cudaMemPrefetchAsync(buffer.data(), buffer.bytes(), location(target), 0, nullptr);
#else
  const cudaError_t error =
      cudaMemPrefetchAsync(buffer.data(), buffer.bytes(), location(target), nullptr);
#endif
  check_gpu(error, "cudaMemPrefetchAsync");
  check_gpu(cudaStreamSynchronize(nullptr), "cudaMemPrefetchAsync");
}

void advise(const Buffer& buffer, Advice advice, Executor target) {
  if (const std::string reason = why_not_advice(buffer.kind(), advice); !reason.empty())
    throw UnsupportedSpace(reason);
  if (advice == Advice::None) return;
  const auto hint = advice == Advice::Preferred    ? cudaMemAdviseSetPreferredLocation
                    : advice == Advice::ReadMostly ? cudaMemAdviseSetReadMostly
                                                   : cudaMemAdviseSetAccessedBy;
  check_gpu(cudaMemAdvise(buffer.data(), buffer.bytes(), hint, location(target)), "cudaMemAdvise");
}

}  // namespace memstencil
