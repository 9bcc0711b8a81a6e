// Device memory that other processes of the node reach by their own kernels (CUDA IPC).
#include "memory_spaces/peer_memory.hpp"

#include "memory_spaces/cuda_gpu.hpp"

#include <cstring>

namespace memstencil {

std::string share(const Buffer& buffer) {
  cudaIpcMemHandle_t handle{};
  check_gpu(cudaIpcGetMemHandle(&handle, buffer.data()),
            "memory of this GPU cannot be shared with another process");
  return {reinterpret_cast<const char*>(&handle), sizeof handle};
}

std::shared_ptr<char> reach_shared(const std::string& shared) {
  cudaIpcMemHandle_t handle{};
  if (shared.size() != sizeof handle) throw UnsupportedSpace("not the memory of another process");
  std::memcpy(&handle, shared.data(), sizeof handle);
  void* data = nullptr;
  check_gpu(cudaIpcOpenMemHandle(&data, handle, cudaIpcMemLazyEnablePeerAccess),
            "memory of another process's GPU cannot be reached");
  return {static_cast<char*>(data), [](char* opened) { cudaIpcCloseMemHandle(opened); }};
}

}  // namespace memstencil
