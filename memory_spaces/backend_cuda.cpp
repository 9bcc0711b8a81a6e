// The CUDA backend's table of memory spaces: how to allocate each, and why not.
#include "memory_spaces/backend.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/cuda_gpu.hpp"
#include "memory_spaces/host_memory.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

namespace memstencil::backend {

namespace {

/// @throws OutOfMemory, or UnsupportedSpace, if the call for so many bytes had an error
void check_allocation(cudaError_t error, const MemoryKind& kind, std::size_t bytes) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // an allocation that failed leaves the context usable: forget the error
  const std::string what = std::string(name(kind.space)) + " memory: " + cudaGetErrorString(error) +
                           " (" + std::to_string(bytes) + " bytes asked, " +
                           std::to_string(available_bytes(kind)) + " available)";
  if (error == cudaErrorMemoryAllocation) throw OutOfMemory(what);
  throw UnsupportedSpace(what);
}

template <cudaError_t (*call)(void**, std::size_t)>
void* allocate(const MemoryKind& kind, std::size_t bytes) {
  void* data = nullptr;
  check_allocation(call(&data, bytes), kind, bytes);
  return data;
}

cudaError_t allocate_pinned(void** data, std::size_t bytes) {
  return cudaHostAlloc(data, bytes, cudaHostAllocDefault);
}

cudaError_t allocate_managed(void** data, std::size_t bytes) {
  return cudaMallocManaged(data, bytes);
}

void free_on_gpu(void* data, std::size_t) noexcept { cudaFree(data); }

/// The host's threads make the pages together: the driver would by one.
void touch(void* data, std::size_t bytes) {
  constexpr std::size_t page = 4096;  // the smallest there is
  auto* const first = static_cast<unsigned char*>(data);
  Kokkos::parallel_for(
      "memory_spaces: touch pages",
      Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, (bytes + page - 1) / page),
      [=](const std::size_t n) { first[n * page] = 0; });
  Kokkos::DefaultHostExecutionSpace().fence("memory_spaces: touch pages");
}

void* allocate_registered(const MemoryKind& kind, std::size_t bytes) {
  void* const mapped = host_memory::allocate(kind, bytes);
  touch(mapped, bytes);
  const cudaError_t error =
      cudaHostRegister(mapped, bytes, cudaHostRegisterPortable | cudaHostRegisterMapped);
  if (error != cudaSuccess) host_memory::release(mapped, bytes);
  check_allocation(error, kind, bytes);
  return mapped;
}

void release_registered(void* data, std::size_t bytes) noexcept {
  cudaHostUnregister(data);
  host_memory::release(data, bytes);
}

/// A stream-ordered pool that keeps what is released. It is made when memory is first asked of it,
/// and ends with Kokkos.
struct Pool {
  MemorySpace space;
  cudaMemPool_t handle = nullptr;
};
Pool device_pool{MemorySpace::Device}, managed_pool{MemorySpace::Managed};

cudaError_t open(Pool& pool) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
#if CUDART_VERSION >= 13000
  if (pool.space == MemorySpace::Managed) properties.allocType = cudaMemAllocationTypeManaged;
#endif
  // Where managed pages are made: with another location their first touch comes by faults.
  properties.location = {cudaMemLocationTypeDevice, current_gpu()};
  if (const cudaError_t error = cudaMemPoolCreate(&pool.handle, &properties); error != cudaSuccess)
    return error;
  Kokkos::push_finalize_hook([&pool] {
    cudaMemPoolDestroy(pool.handle);
    pool.handle = nullptr;
  });
  auto all = std::numeric_limits<std::uint64_t>::max();
  return cudaMemPoolSetAttribute(pool.handle, cudaMemPoolAttrReleaseThreshold, &all);
}

/// All streams can use the memory when it returns.
template <Pool& pool>
cudaError_t allocate_pooled(void** data, std::size_t bytes) {
  cudaError_t error = pool.handle != nullptr ? cudaSuccess : open(pool);
  if (error == cudaSuccess) error = cudaMallocFromPoolAsync(data, bytes, pool.handle, nullptr);
  return error == cudaSuccess ? cudaStreamSynchronize(nullptr) : error;
}

void release_pooled(void* data, std::size_t) noexcept { cudaFreeAsync(data, nullptr); }

std::uint64_t bytes_of(const Pool& pool, cudaMemPoolAttr which) {
  std::uint64_t bytes = 0;
  if (cudaMemPoolGetAttribute(pool.handle, which, &bytes) != cudaSuccess) cudaGetLastError();
  return bytes;
}

/// Free bytes of the GPU, and in the pool that is to be asked; other pools give back all they keep.
std::size_t free_bytes_of_gpu(const Pool* own = nullptr) {
  std::size_t free = 0, total = 0;
  for (const Pool* each : {&device_pool, &managed_pool})
    if (each->handle != nullptr && each != own) {
      cudaStreamSynchronize(nullptr);  // what was released may be given back after that
      cudaMemPoolTrimTo(each->handle, 0);
    }
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) cudaGetLastError();
  if (own == nullptr || own->handle == nullptr) return free;
  return free + bytes_of(*own, cudaMemPoolAttrReservedMemCurrent) -
         bytes_of(*own, cudaMemPoolAttrUsedMemCurrent);
}

/// A GPU whose free memory is taken to the last page evicts managed pages that it has just fetched.
std::size_t managed_bytes(std::size_t free) { return free / 10 * 9; }

std::string always(Executor) { return {}; }

std::string why_not_by_host(Executor executor) {
  if (executor == Executor::Device) return {};
  return "host code cannot dereference device memory (cudaMalloc) of " + gpu_name() +
         "; use --memspace managed, host-pinned or system with --exec host";
}

constexpr const char* use_default = "; use --allocation default";

/// The first of these attributes that the GPU has not, and a remedy.
std::string lacking(std::initializer_list<std::pair<cudaDeviceAttr, const char*>> needed,
                    const std::string& remedy) {
  for (const auto& [which, its_name] : needed)
    if (attribute(which) == 0) return gpu_name() + " reports " + its_name + " 0" + remedy;
  return {};
}

std::string why_not_registered(Executor) {
  return lacking({{cudaDevAttrHostRegisterSupported, "cudaDevAttrHostRegisterSupported"},
                  {cudaDevAttrCanUseHostPointerForRegisteredMem,
                   "cudaDevAttrCanUseHostPointerForRegisteredMem"}},
                 use_default);
}

/// A piece of it is asked for: what the driver then gives may be plain memory.
std::string why_not_compressible(Executor executor) {
  std::string reason = why_not_by_host(executor);
  if (!reason.empty()) return reason;
  if (!compressible_memory::supported())
    return gpu_name() + " reports CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED 0" +
           use_default;
  void* data = nullptr;
  const cudaError_t error = compressible_memory::allocate(&data, 1);
  if (error == cudaSuccess) compressible_memory::release(data, 1);
  if (error != cudaErrorNotSupported) return {};
  return "the driver of " + gpu_name() +
         " gives memory that is not compressible where it is asked for such" + use_default;
}

std::string why_not_managed(Executor) {
  return lacking({{cudaDevAttrManagedMemory, "cudaDevAttrManagedMemory"}},
                 "; use --memspace device or host-pinned");
}

/// @tparam why_not_space the same of memory of its space that comes from no pool
template <const Pool& pool, auto* why_not_space>
std::string why_not_pooled(Executor executor) {
  std::string reason = why_not_space(executor);
  if (reason.empty())
    reason = lacking({{cudaDevAttrMemoryPoolsSupported, "cudaDevAttrMemoryPoolsSupported"},
                      {cudaDevAttrConcurrentManagedAccess, "cudaDevAttrConcurrentManagedAccess"}},
                     use_default);
  if (!reason.empty() || pool.space == MemorySpace::Device || CUDART_VERSION >= 13000)
    return reason;
  return "managed memory has pools from CUDA 13 on, and this program is built with " +
         gpu_backend() + use_default;
}

std::string why_not_system(Executor executor) {
  if (executor == Executor::Host || reach_of_gpu() != SystemReach::None) return {};
  return out_of_reach(gpu_name()) + "; use --memspace managed or host-pinned";
}

std::string never_moved(std::string_view space, std::optional<Advice> advice) {
  return std::string(space) + " memory does not move; " + (advice ? "--advise" : "--prefetch") +
         " goes with --memspace managed";
}

std::string why_not_managed_moved(std::string_view, std::optional<Advice> advice) {
  if (advice) return {};
  return lacking({{cudaDevAttrConcurrentManagedAccess, "cudaDevAttrConcurrentManagedAccess"}},
                 ": it cannot prefetch; leave --prefetch out");
}

std::string why_not_pooled_moved(std::string_view space, std::optional<Advice> advice) {
  if (!advice) return why_not_managed_moved(space, advice);
  return "cudaMemAdvise does not take memory of a pool; --advise goes with --allocation default";
}

std::string why_not_system_moved(std::string_view space, std::optional<Advice> advice) {
  const std::string reason = memstencil::why_not_system_moved(reach_of_gpu(), advice, gpu_name());
  return reason.empty() ? why_not_managed_moved(space, advice) : reason;
}

constexpr Row rows[] = {
    {.space = MemorySpace::HostPinned,
     .call = "cudaHostAlloc",
     .allocate = allocate<allocate_pinned>,
     .release = [](void* data, std::size_t) noexcept { cudaFreeHost(data); },
     .available = host_memory::available_bytes,
     .why_not = always,
     .why_not_moved = never_moved},
    {.space = MemorySpace::HostPinned,
     .allocation = Allocation::Registered,
     .call = "mmap, touched by all threads, cudaHostRegister",
     .allocate = allocate_registered,
     .release = release_registered,
     .available = host_memory::available_bytes,
     .why_not = why_not_registered,
     .why_not_moved = never_moved,
     .has_huge_pages = true},
    {.space = MemorySpace::Device,
     .call = "cudaMalloc",
     .allocate = allocate<cudaMalloc>,
     .release = free_on_gpu,
     .available = [] { return free_bytes_of_gpu(); },
     .why_not = why_not_by_host,
     .why_not_moved = never_moved},
    {.space = MemorySpace::Device,
     .allocation = Allocation::Pool,
     .call = "cudaMallocFromPoolAsync",
     .allocate = allocate<allocate_pooled<device_pool>>,
     .release = release_pooled,
     .available = [] { return free_bytes_of_gpu(&device_pool); },
     .why_not = why_not_pooled<device_pool, why_not_by_host>,
     .why_not_moved = never_moved},
    {.space = MemorySpace::Device,
     .allocation = Allocation::Compressible,
     .call = "cuMemCreate, generic compression: of bandwidth where values repeat, not of bytes",
     .allocate = allocate<compressible_memory::allocate>,
     .release = compressible_memory::release,
     .available = [] { return free_bytes_of_gpu(); },
     .why_not = why_not_compressible,
     .why_not_moved = never_moved},
    {.space = MemorySpace::Managed,
     .call = "cudaMallocManaged",
     .allocate = allocate<allocate_managed>,
     .release = free_on_gpu,
     .available = [] { return managed_bytes(free_bytes_of_gpu()); },
     .why_not = why_not_managed,
     .why_not_moved = why_not_managed_moved,
     .exceeds_gpu = true},
    {.space = MemorySpace::Managed,
     .allocation = Allocation::Pool,
     .call = "cudaMallocFromPoolAsync, managed memory located at the GPU",
     .allocate = allocate<allocate_pooled<managed_pool>>,
     .release = release_pooled,
     .available = [] { return managed_bytes(free_bytes_of_gpu(&managed_pool)); },
     .why_not = why_not_pooled<managed_pool, why_not_managed>,
     .why_not_moved = why_not_pooled_moved},
    {.space = MemorySpace::SystemAllocated,
     .call = "anonymous pages of host memory",
     .allocate = host_memory::allocate,
     .release = host_memory::release,
     .available = host_memory::available_bytes,
     .why_not = why_not_system,
     .why_not_moved = why_not_system_moved,
     .has_huge_pages = true}};

}  // namespace

std::span<const Row> table() { return rows; }

std::string why_not_computing(Executor) {
  std::string no_gpu;
  if (gpu_count(&no_gpu) > 0) return {};
  return no_gpu + "; run on a GPU node, or build for the host with --preset openmp";
}

}  // namespace memstencil::backend
