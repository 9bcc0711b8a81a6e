// The GPU of this process, by the CUDA driver.
#include "memory_spaces/capabilities.hpp"

#include "memory_spaces/cuda_gpu.hpp"
#include "memory_spaces/system_reach.hpp"

#include <array>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

namespace memstencil {

namespace {

/// As the driver's other tools write it.
std::string gpu_uuid() {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, current_gpu()) != cudaSuccess) return {};
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
  for (std::string word; file >> word;)  // "580.65.06"
    if (std::isdigit(static_cast<unsigned char>(word[0])) && word.find('.') != word.npos)
      return word;
  return "unknown";
}

/// The NUMA node that is the GPU's memory; -1: it is none.
int gpu_node() {
#if CUDART_VERSION >= 12020
  if (attribute(cudaDevAttrNumaConfig) != 0) return attribute(cudaDevAttrNumaId);
#endif
  return -1;
}

}  // namespace

void check_gpu(cudaError_t error, const std::string& what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw UnsupportedSpace(what + ": " + cudaGetErrorString(error));
}

int current_gpu() {
  int index = 0;
  cudaGetDevice(&index);
  return index;
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, current_gpu()) == cudaSuccess) return value;
  cudaGetLastError();
  return 0;
}

std::string gpu_name() {
  cudaDeviceProp properties{};
  return cudaGetDeviceProperties(&properties, current_gpu()) == cudaSuccess ? properties.name
                                                                            : "this GPU";
}

SystemReach reach_of_gpu() {
  return system_reach(attribute(cudaDevAttrPageableMemoryAccess) != 0,
                      attribute(cudaDevAttrPageableMemoryAccessUsesHostPageTables) != 0,
                      gpu_node());
}

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

void select_gpu(int index) { check_gpu(cudaSetDevice(index), "GPU " + std::to_string(index)); }

GpuFacts gpu_facts() {
  GpuFacts facts;
  if (gpu_count() == 0) return facts;
  facts.name = gpu_name();
  facts.uuid = gpu_uuid();
  facts.pci = pci_address(current_gpu());
  facts.driver = kernel_driver();
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  facts.runtime = "CUDA " + version_text(runtime);
  std::size_t free = 0;
  cudaMemGetInfo(&free, &facts.total_bytes);
  facts.l2_bytes = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
  facts.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  facts.pageable_memory_access = attribute(cudaDevAttrPageableMemoryAccess);
  facts.uses_host_page_tables = attribute(cudaDevAttrPageableMemoryAccessUsesHostPageTables);
  facts.numa_id = gpu_node();
  facts.address_translation =  // whether or not its memory is a node
      name(system_reach(facts.pageable_memory_access != 0, facts.uses_host_page_tables != 0, 0));
  return facts;
}

}  // namespace memstencil
