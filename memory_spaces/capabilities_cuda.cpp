// The capabilities of this machine, by the CUDA driver.
#include "memory_spaces/backend.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/cuda_driver.hpp"
#include "memory_spaces/host_memory.hpp"
#include "memory_spaces/system_reach.hpp"

#include <cuda_runtime.h>

#include <array>
#include <fstream>
#include <string>
#include <string_view>

namespace memstencil {

namespace {

int attribute(cudaDeviceAttr which, int gpu) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, gpu) == cudaSuccess) return value;
  cudaGetLastError();
  return 0;
}

std::string gpu_name() {
  cudaDeviceProp properties{};
  return cudaGetDeviceProperties(&properties, backend::current_gpu()) == cudaSuccess
             ? properties.name
             : "this GPU";
}

/// As the driver's other tools write it.
std::string gpu_uuid() {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, backend::current_gpu()) != cudaSuccess) return {};
  std::string text = "GPU";
  for (std::size_t n = 0; n < sizeof properties.uuid.bytes; ++n) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(properties.uuid.bytes[n]);
    if (n == 0 || n == 4 || n == 6 || n == 8 || n == 10) text += '-';
    text += hexadecimal[value / 16];
    text += hexadecimal[value % 16];
  }
  return text;
}

std::string pci_address(int gpu) {
  std::array<char, 32> text{};
  return cudaDeviceGetPCIBusId(text.data(), text.size(), gpu) == cudaSuccess ? text.data() : "";
}

std::string version_text(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string kernel_driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  for (std::size_t at = line.find_first_of("0123456789"); at != std::string::npos;
       at = line.find_first_of("0123456789", line.find(' ', at))) {
    const std::string word = line.substr(at, line.find(' ', at) - at);
    if (word.find('.') != std::string::npos) return word;
    if (line.find(' ', at) == std::string::npos) break;
  }
  return "unknown";
}

/// The NUMA node that is the GPU's memory; -1: it is none.
int gpu_node(int gpu) {
#if CUDART_VERSION >= 12020
  if (attribute(cudaDevAttrNumaConfig, gpu) != 0) return attribute(cudaDevAttrNumaId, gpu);
#endif
  return -1;
}

SystemReach reach_of(int gpu) {
  return system_reach(attribute(cudaDevAttrPageableMemoryAccess, gpu) != 0,
                      attribute(cudaDevAttrPageableMemoryAccessUsesHostPageTables, gpu) != 0,
                      gpu_node(gpu));
}

bool reaches_system_memory() { return reach_of(backend::current_gpu()) != SystemReach::None; }

}  // namespace

bool built_for_gpu() { return true; }
std::string gpu_backend() { return "CUDA " + version_text(CUDART_VERSION); }

int gpu_count(std::string* why) {
  if (!cuda_driver_installed()) {
    if (why != nullptr)
      *why = "this program is built for CUDA and no CUDA driver (libcuda.so.1) is installed here";
    return 0;
  }
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return count;
  cudaGetLastError();
  if (why != nullptr)
    *why = "this program is built for CUDA and no GPU answers here (" +
           std::string(error == cudaSuccess ? "none is there" : cudaGetErrorString(error)) + ")";
  return 0;
}

void select_gpu(int index) {
  const cudaError_t error = cudaSetDevice(index);
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw UnsupportedSpace("GPU " + std::to_string(index) + ": " + cudaGetErrorString(error));
}

Support support(MemorySpace space, Executor executor) {
  Support s;
  s.effective = std::string(name(space));
  std::string no_gpu;
  if (gpu_count(&no_gpu) == 0) {
    s.reason = no_gpu + "; run on a GPU node, or build for the host with --preset openmp";
    return s;
  }
  s.served = true;
  switch (space) {
    case MemorySpace::HostPinned:
      s.allocation = "cudaHostAlloc";
      break;
    case MemorySpace::Device:
      s.allocation = "cudaMalloc";
      if (executor == Executor::Host) {
        s.served = false;
        s.reason = "host code cannot dereference device memory (cudaMalloc) of " + gpu_name() +
                   "; use --memspace managed, host-pinned or system with --exec host";
      }
      break;
    case MemorySpace::Managed:
      s.allocation = "cudaMallocManaged";
      if (attribute(cudaDevAttrManagedMemory, backend::current_gpu()) == 0) {
        s.served = false;
        s.reason = gpu_name() +
                   " reports cudaDevAttrManagedMemory 0; use --memspace device or host-pinned";
      }
      break;
    case MemorySpace::SystemAllocated:
      s.allocation = "anonymous pages of host memory";
      if (executor == Executor::Device && !reaches_system_memory()) {
        s.served = false;
        s.reason = out_of_reach(gpu_name()) + "; use --memspace managed or host-pinned";
      }
      break;
  }
  return s;
}

MemorySpace scratch_space(Executor executor) {
  return executor == Executor::Device ? MemorySpace::Device : MemorySpace::SystemAllocated;
}

bool reached_over_link(MemorySpace space, Executor executor) {
  return home(space) == Home::Host && executor == Executor::Device;
}

bool takes_gpu_memory(MemorySpace space, Executor executor) {
  return executor == Executor::Device && taken_from_gpu(space);
}

std::string refuse_pages(MemorySpace space, Pages pages) {
  if (pages == Pages::Default) return {};
  if (space == MemorySpace::SystemAllocated) return host_memory::refuse_huge_pages();
  return "the driver chooses the page size of " + std::string(name(space)) +
         " memory; --pages huge goes with --memspace system";
}

std::string refuse_prefetch(MemorySpace space) {
  if (home(space) != Home::Migrates)
    return std::string(name(space)) +
           " memory does not move; --prefetch goes with --memspace managed";
  if (space == MemorySpace::SystemAllocated)
    if (const std::string reason =
            refuse_system_prefetch(reach_of(backend::current_gpu()), gpu_name());
        !reason.empty())
      return reason;
  if (attribute(cudaDevAttrConcurrentManagedAccess, backend::current_gpu()) == 0)
    return gpu_name() +
           " reports cudaDevAttrConcurrentManagedAccess 0: it cannot "
           "prefetch; leave --prefetch out";
  return {};
}

std::string refuse_advice(MemorySpace space, Advice advice) {
  if (advice == Advice::None) return {};
  if (home(space) != Home::Migrates)
    return std::string(name(space)) +
           " memory does not move; --advise goes with --memspace managed";
  if (space == MemorySpace::SystemAllocated)
    return refuse_system_advice(reach_of(backend::current_gpu()), advice, gpu_name());
  return {};
}

std::string refuse_oversubscription(MemorySpace space) {
  if (space == MemorySpace::Managed) return {};
  return "only managed memory can exceed the GPU's; --oversubscribe goes with --memspace managed";
}

std::string refuse_without_ats(MemorySpace space, Executor executor) {
  const bool by_faults = space == MemorySpace::SystemAllocated && executor == Executor::Device &&
                         reach_of(backend::current_gpu()) == SystemReach::Hmm;
  if (!by_faults) return {};
  return gpu_name() + " reaches system-allocated memory by faults (HMM), not by ATS";
}

std::size_t available_bytes(MemorySpace space) {
  if (!taken_from_gpu(space)) return host_memory::available_bytes();
  std::size_t free = 0;
  std::size_t total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  // A GPU whose free memory is taken to the last page evicts managed
  // pages that it has just fetched.
  return space == MemorySpace::Managed ? free / 10 * 9 : free;
}

GpuFacts gpu_facts() {
  GpuFacts facts;
  facts.count = gpu_count();
  if (facts.count == 0) return facts;
  const int gpu = backend::current_gpu();
  facts.index = gpu;
  facts.name = gpu_name();
  facts.uuid = gpu_uuid();
  facts.pci = pci_address(gpu);
  facts.driver = kernel_driver();
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  facts.runtime = "CUDA " + version_text(runtime);
  std::size_t free = 0;
  cudaMemGetInfo(&free, &facts.total_bytes);
  facts.l2_bytes = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize, gpu));
  facts.multiprocessors = attribute(cudaDevAttrMultiProcessorCount, gpu);
  facts.compute_major = attribute(cudaDevAttrComputeCapabilityMajor, gpu);
  facts.compute_minor = attribute(cudaDevAttrComputeCapabilityMinor, gpu);
  facts.clock_khz = attribute(cudaDevAttrClockRate, gpu);
  facts.memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, gpu);
  facts.memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, gpu);
  facts.pageable_memory_access = attribute(cudaDevAttrPageableMemoryAccess, gpu);
  facts.uses_host_page_tables = attribute(cudaDevAttrPageableMemoryAccessUsesHostPageTables, gpu);
  facts.concurrent_managed_access = attribute(cudaDevAttrConcurrentManagedAccess, gpu);
  facts.direct_managed_access_from_host = attribute(cudaDevAttrDirectManagedMemAccessFromHost, gpu);
  facts.numa_id = gpu_node(gpu);
#if CUDART_VERSION >= 12020
  facts.host_numa_id = attribute(cudaDevAttrHostNumaId, gpu);
#endif
  facts.address_translation = facts.pageable_memory_access == 0  ? "none"
                              : facts.uses_host_page_tables != 0 ? "ATS"
                                                                 : "HMM";
  return facts;
}

}  // namespace memstencil
