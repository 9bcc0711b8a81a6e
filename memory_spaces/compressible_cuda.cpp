// Device memory that the GPU compresses: physical memory of that kind, mapped to addresses.
#include "memory_spaces/cuda_gpu.hpp"

namespace memstencil::compressible_memory {

namespace {

bool has(CUdevice_attribute which) {
  int value = 0;
  return forward("cuDeviceGetAttribute", &value, which, CUdevice{current_gpu()}) == CUDA_SUCCESS &&
         value != 0;
}

/// @param reached may other devices of the bus (network cards) access it?
CUmemAllocationProp kind_of(bool reached) {
  CUmemAllocationProp asked{};
  asked.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  asked.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  asked.location.id = current_gpu();
  asked.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
  asked.allocFlags.gpuDirectRDMACapable = reached ? 1 : 0;
  return asked;
}

/// In whole pieces of the size in which physical memory comes; 0 if the driver does not say.
std::size_t rounded(std::size_t bytes) {
  const CUmemAllocationProp kind = kind_of(false);
  std::size_t piece = 0;
  if (forward("cuMemGetAllocationGranularity", &piece, &kind,
              CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) != CUDA_SUCCESS)
    return 0;
  return (bytes + piece - 1) / piece * piece;
}

/// Memory of the handle for the addresses, which the current GPU may read and write.
CUresult map(CUdeviceptr at, std::size_t bytes, CUmemGenericAllocationHandle memory) {
  const std::size_t from_start = 0;
  const unsigned long long no_flags = 0;
  const CUresult mapped = forward("cuMemMap", at, bytes, from_start, memory, no_flags);
  if (mapped != CUDA_SUCCESS) return mapped;
  const CUmemAccessDesc access{kind_of(false).location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  const std::size_t one = 1;
  const CUresult allowed =
      forward("cuMemSetAccess", at, bytes, static_cast<const CUmemAccessDesc*>(&access), one);
  if (allowed != CUDA_SUCCESS) forward("cuMemUnmap", at, bytes);
  return allowed;
}

/// Physical memory; nothing of it is left if it is not of the kind that was asked for.
CUresult create(CUmemGenericAllocationHandle& memory, std::size_t bytes,
                const CUmemAllocationProp& kind) {
  const unsigned long long no_flags = 0;
  const CUresult made = forward("cuMemCreate", &memory, bytes, &kind, no_flags);
  if (made != CUDA_SUCCESS) return made;
  CUmemAllocationProp got{};
  CUresult status = forward("cuMemGetAllocationPropertiesFromHandle", &got, memory);
  if (status == CUDA_SUCCESS && got.allocFlags.compressionType != CU_MEM_ALLOCATION_COMP_GENERIC)
    status = CUDA_ERROR_NOT_SUPPORTED;
  if (status != CUDA_SUCCESS) forward("cuMemRelease", memory);
  return status;
}

/// The same; reached by other devices if the driver compresses such memory (on an H200 driver
/// 580 does not).
CUresult create(CUmemGenericAllocationHandle& memory, std::size_t bytes) {
  CUresult status = CUDA_ERROR_NOT_SUPPORTED;
  if (has(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED))
    status = create(memory, bytes, kind_of(true));
  return status == CUDA_ERROR_NOT_SUPPORTED ? create(memory, bytes, kind_of(false)) : status;
}

/// The runtime and the driver number their errors alike.
cudaError_t runtime_error(CUresult status) { return static_cast<cudaError_t>(status); }

}  // namespace

bool supported() { return has(CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED); }

cudaError_t allocate(void** data, std::size_t bytes) {
  cudaFree(nullptr);  // the GPU's context, if nothing has made it
  const std::size_t whole = rounded(bytes);
  if (whole < bytes) return cudaErrorMemoryAllocation;  // beyond 64 bits
  CUmemGenericAllocationHandle memory{};
  if (const CUresult status = create(memory, whole); status != CUDA_SUCCESS)
    return runtime_error(status);
  CUdeviceptr at = 0;
  const std::size_t usual_alignment = 0;
  const CUdeviceptr anywhere = 0;
  const unsigned long long no_flags = 0;
  CUresult status = forward("cuMemAddressReserve", &at, whole, usual_alignment, anywhere, no_flags);
  if (status == CUDA_SUCCESS) {
    status = map(at, whole, memory);
    if (status != CUDA_SUCCESS) forward("cuMemAddressFree", at, whole);
  }
  forward("cuMemRelease", memory);  // the mapping holds it
  *data = reinterpret_cast<void*>(at);
  return runtime_error(status);
}

void release(void* data, std::size_t bytes) noexcept {
  const auto at = reinterpret_cast<CUdeviceptr>(data);
  const std::size_t whole = rounded(bytes);
  forward("cuMemUnmap", at, whole);
  forward("cuMemAddressFree", at, whole);
}

}  // namespace memstencil::compressible_memory
