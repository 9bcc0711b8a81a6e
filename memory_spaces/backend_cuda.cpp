// The CUDA backend's table of memory spaces: how to allocate each, and why not.
#include "memory_spaces/backend.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/cuda_gpu.hpp"
#include "memory_spaces/host_memory.hpp"

#include <cstdint>
#include <string>

namespace memstencil::backend {

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

void* allocate_pinned(std::size_t bytes, Pages) {
  void* data = nullptr;
  check_allocation(cudaHostAlloc(&data, bytes, cudaHostAllocDefault), MemorySpace::HostPinned,
                   bytes);
  return data;
}

void* allocate_device(std::size_t bytes, Pages) {
  void* data = nullptr;
  check_allocation(cudaMalloc(&data, bytes), MemorySpace::Device, bytes);
  return data;
}

void* allocate_managed(std::size_t bytes, Pages) {
  void* data = nullptr;
  check_allocation(cudaMallocManaged(&data, bytes), MemorySpace::Managed, bytes);
  return data;
}

void free_on_gpu(void* data, std::size_t) noexcept { cudaFree(data); }

std::size_t free_bytes_of_gpu() {
  std::size_t free = 0;
  std::size_t total = 0;
  if (cudaMemGetInfo(&free, &total) == cudaSuccess) return free;
  cudaGetLastError();
  return 0;
}

std::string always(Executor) { return {}; }

std::string why_not_by_host(Executor executor) {
  if (executor == Executor::Device) return {};
  return "host code cannot dereference device memory (cudaMalloc) of " + gpu_name() +
         "; use --memspace managed, host-pinned or system with --exec host";
}

std::string why_not_managed(Executor) {
  if (attribute(cudaDevAttrManagedMemory) != 0) return {};
  return gpu_name() + " reports cudaDevAttrManagedMemory 0; use --memspace device or host-pinned";
}

std::string why_not_system(Executor executor) {
  if (executor == Executor::Host || reach_of_gpu() != SystemReach::None) return {};
  return out_of_reach(gpu_name()) + "; use --memspace managed or host-pinned";
}

std::string without_ats(Executor executor) {
  if (executor == Executor::Host || reach_of_gpu() != SystemReach::Hmm) return {};
  return gpu_name() + " reaches system-allocated memory by faults (HMM), not by ATS";
}

std::string never_moved(std::string_view space, std::optional<Advice> advice) {
  return std::string(space) + " memory does not move; " + (advice ? "--advise" : "--prefetch") +
         " goes with --memspace managed";
}

std::string why_not_managed_moved(std::string_view, std::optional<Advice> advice) {
  if (advice || attribute(cudaDevAttrConcurrentManagedAccess) != 0) return {};
  return gpu_name() +
         " reports cudaDevAttrConcurrentManagedAccess 0: it cannot prefetch; leave --prefetch out";
}

std::string why_not_system_moved(std::string_view space, std::optional<Advice> advice) {
  const std::string reason = memstencil::why_not_system_moved(reach_of_gpu(), advice, gpu_name());
  return reason.empty() ? why_not_managed_moved(space, advice) : reason;
}

constexpr Row rows[] = {{.space = MemorySpace::HostPinned,
                         .call = "cudaHostAlloc",
                         .allocate = allocate_pinned,
                         .release = [](void* data, std::size_t) noexcept { cudaFreeHost(data); },
                         .available = host_memory::available_bytes,
                         .why_not = always,
                         .why_not_moved = never_moved},
                        {.space = MemorySpace::Device,
                         .call = "cudaMalloc",
                         .allocate = allocate_device,
                         .release = free_on_gpu,
                         .available = free_bytes_of_gpu,
                         .why_not = why_not_by_host,
                         .why_not_moved = never_moved},
                        {.space = MemorySpace::Managed,
                         .call = "cudaMallocManaged",
                         .allocate = allocate_managed,
                         .release = free_on_gpu,
                         // A GPU whose free memory is taken to the last page evicts managed pages
                         // that it has just fetched.
                         .available = [] { return free_bytes_of_gpu() / 10 * 9; },
                         .why_not = why_not_managed,
                         .why_not_moved = why_not_managed_moved,
                         .exceeds_gpu = true},
                        {.space = MemorySpace::SystemAllocated,
                         .call = "anonymous pages of host memory",
                         .allocate = host_memory::allocate,
                         .release = host_memory::release,
                         .available = host_memory::available_bytes,
                         .why_not = why_not_system,
                         .why_not_moved = why_not_system_moved,
                         .has_huge_pages = true,
                         .why_not_automatic = without_ats}};

}  // namespace

std::span<const Row> table() { return rows; }

std::string why_not_computing(Executor) {
  std::string no_gpu;
  if (gpu_count(&no_gpu) > 0) return {};
  return no_gpu + "; run on a GPU node, or build for the host with --preset openmp";
}

}  // namespace memstencil::backend
