// The CUDA backend: allocation and movement. What the machine can do is in capabilities_cuda.cpp.
#include "memory_spaces/backend.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/host_memory.hpp"
#include "memory_spaces/movement.hpp"
#include "memory_spaces/pinned_pages.hpp"

#include <cuda_runtime.h>

#include <cstring>
#include <string>

namespace memstencil {

namespace {

void check_allocation(cudaError_t error, MemorySpace space, std::size_t bytes) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // an allocation that failed leaves the context usable: forget the error
  const std::string what = std::string(name(space)) + " memory: " + cudaGetErrorString(error) +
                           " (" + std::to_string(bytes) + " bytes asked, " +
                           std::to_string(available_bytes(space)) + " available)";
  if (error == cudaErrorMemoryAllocation) throw OutOfMemory(what);
  throw UnsupportedSpace(what);
}

void check_movement(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw UnsupportedSpace(std::string(what) + ": " + cudaGetErrorString(error));
}

#if CUDART_VERSION >= 13000
cudaMemLocation location(Executor target) {
  cudaMemLocation l{};
  l.type = target == Executor::Device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
  l.id = target == Executor::Device ? backend::current_gpu() : 0;
  return l;
}
#else
int location(Executor target) {
  return target == Executor::Device ? backend::current_gpu() : cudaCpuDeviceId;
}
#endif

}  // namespace

namespace backend {

int current_gpu() {
  int index = 0;
  cudaGetDevice(&index);
  return index;
}

void* allocate(MemorySpace space, std::size_t bytes, Pages pages) {
  if (const std::string reason = refuse_pages(space, pages); !reason.empty())
    throw UnsupportedSpace(reason);
  const std::size_t n = bytes > 0 ? bytes : 1;
  void* data = nullptr;
  switch (space) {
    case MemorySpace::HostPinned:
      check_allocation(cudaHostAlloc(&data, n, cudaHostAllocDefault), space, bytes);
      break;
    case MemorySpace::Device:
      check_allocation(cudaMalloc(&data, n), space, bytes);
      break;
    case MemorySpace::Managed:
      check_allocation(cudaMallocManaged(&data, n), space, bytes);
      break;
    case MemorySpace::SystemAllocated:
      data = host_memory::allocate(bytes, pages);
      break;
  }
  return data;
}

void release(MemorySpace space, void* data, std::size_t bytes) noexcept {
  switch (space) {
    case MemorySpace::HostPinned:
      cudaFreeHost(data);
      break;
    case MemorySpace::Device:
    case MemorySpace::Managed:
      cudaFree(data);
      break;
    case MemorySpace::SystemAllocated:
      host_memory::release(data, bytes);
      break;
  }
}

bool host_accessible(MemorySpace space) { return home(space) != Home::Gpu; }

}  // namespace backend

PinnedPages::PinnedPages(const Buffer& buffer) {
  int by_its_address = 0;
  cudaDeviceGetAttribute(&by_its_address, cudaDevAttrCanUseHostPointerForRegisteredMem,
                         backend::current_gpu());
  if (by_its_address != 0 &&
      cudaHostRegister(buffer.data(), buffer.bytes(),
                       cudaHostRegisterPortable | cudaHostRegisterMapped) == cudaSuccess)
    pinned_ = buffer.data();
  else
    cudaGetLastError();  // the caller has other memory
}
PinnedPages::~PinnedPages() {
  if (pinned_ == nullptr) return;
  cudaDeviceSynchronize();
  cudaHostUnregister(pinned_);
}

void copy(void* to, const void* from, std::size_t bytes) {
  check_movement(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "cudaMemcpy");
  // Between two places of a GPU, and out of pageable memory, it returns before the copy is made.
  check_movement(cudaStreamSynchronize(nullptr), "cudaMemcpy");
}

void start_copy(void* to, const void* from, std::size_t bytes, void* stream) {
  check_movement(
      cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(stream)),
      "cudaMemcpyAsync");
}

void start_copy(void* to, std::size_t to_step, const void* from, std::size_t from_step,
                const Pieces& pieces, void* stream) {
  // A copy in two dimensions has no steps of 2 GiB and more.
  if (pieces.count == 1) return start_copy(to, from, pieces.bytes, stream);
  check_movement(cudaMemcpy2DAsync(to, to_step, from, from_step, pieces.bytes, pieces.count,
                                   cudaMemcpyDefault, static_cast<cudaStream_t>(stream)),
                 "cudaMemcpy2DAsync");
}

void fill(void* to, unsigned char byte, std::size_t bytes) {
  cudaPointerAttributes attributes{};
  check_movement(cudaPointerGetAttributes(&attributes, to), "cudaPointerGetAttributes");
  if (attributes.type ==
      cudaMemoryTypeUnregistered) {  // pages of the operating system: the driver may not reach them
    std::memset(to, byte, bytes);
    return;
  }
  check_movement(cudaMemset(to, byte, bytes), "cudaMemset");
  check_movement(cudaDeviceSynchronize(), "cudaMemset");
}

void prefetch(const Buffer& buffer, Executor target) {
  if (const std::string reason = refuse_prefetch(buffer.space()); !reason.empty())
    throw UnsupportedSpace(reason);
#if CUDART_VERSION >= 13000
  const cudaError_t error =
      cudaMemPrefetchAsync(buffer.data(), buffer.bytes(), location(target), 0, nullptr);
#else
  const cudaError_t error =
      cudaMemPrefetchAsync(buffer.data(), buffer.bytes(), location(target), nullptr);
#endif
  check_movement(error, "cudaMemPrefetchAsync");
  check_movement(cudaStreamSynchronize(nullptr), "cudaMemPrefetchAsync");
}

void advise(const Buffer& buffer, Advice advice, Executor target) {
  if (const std::string reason = refuse_advice(buffer.space(), advice); !reason.empty())
    throw UnsupportedSpace(reason);
  cudaMemoryAdvise hint{};
  switch (advice) {
    case Advice::None:
      return;
    case Advice::Preferred:
      hint = cudaMemAdviseSetPreferredLocation;
      break;
    case Advice::ReadMostly:
      hint = cudaMemAdviseSetReadMostly;
      break;
    case Advice::AccessedBy:
      hint = cudaMemAdviseSetAccessedBy;
      break;
  }
  check_movement(cudaMemAdvise(buffer.data(), buffer.bytes(), hint, location(target)),
                 "cudaMemAdvise");
}

}  // namespace memstencil
