// The capabilities of this machine: the spaces that it serves to each
// executor, or the reason why not.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace memstencil {

/// Was this program built with a GPU backend? (Not: is a GPU there.)
bool built_for_gpu();
/// "CUDA 13.0", or "none".
std::string gpu_backend();
/// GPUs that answer; 0 in a host-only build. `why` (if given) gets the reason for a 0.
int gpu_count(std::string* why = nullptr);
/// Makes GPU `index` the one that this process uses. Call before Kokkos::initialize.
/// @throws UnsupportedSpace if CUDA cannot, as for one that another process has for itself
void select_gpu(int index);

/// All allocations of all spaces that this build has.
std::vector<MemoryKind> all_memory_kinds();

/// Is a space served to an executor on this machine, and by which call?
struct Support {
  bool served = false;
  std::string allocation;  ///< "cudaMallocManaged", "anonymous pages of host memory", ...
  std::string effective;   ///< the memory really used: "managed", "host", ...
  std::string reason;      ///< if not served: device, attribute, and the space to use instead
};
Support support(const MemoryKind& kind, Executor executor);

/// The reason why the backend has no such allocation of the space, or why its pages, a prefetch or
/// advice cannot be asked of it; empty if it has, or they can. It has the allocation of others.
std::string why_not_allocation(const MemoryKind& kind);
std::string why_not_pages(const MemoryKind& kind);
std::string why_not_prefetch(const MemoryKind& kind);
std::string why_not_advice(const MemoryKind& kind, Advice advice);
/// The reason why arrays of the kind cannot take more than the GPU has free; empty if they can.
std::string why_not_oversubscribed(const MemoryKind& kind);

/// Memory of the host that messages and copies pass through: for a GPU pinned in the fastest way
/// that there is here. Has huge pages if the system gives them.
MemoryKind transfer_memory(Executor executor);

/// Bytes that may be allocated in the space now, as the driver or the operating system tells.
/// For managed memory the GPU's free memory: beyond it the GPU would be oversubscribed. Gives back
/// what pools keep of other kinds.
std::size_t available_bytes(const MemoryKind& kind);

/// The selected GPU, as the results carry it. Empty name if there is none.
struct GpuFacts {
  std::string name, driver, runtime, address_translation;
  /// "GPU-9d3b3c8e-...": this GPU's (or MIG instance's) alone, wherever it is seen from.
  std::string uuid;
  std::string pci;  ///< its address, "0000:0f:00.0"
  std::size_t total_bytes = 0, l2_bytes = 0;
  int multiprocessors = 0, pageable_memory_access = 0, uses_host_page_tables = 0;
  int numa_id = -1;  ///< the node that is the GPU's memory; negative: it is none
};
GpuFacts gpu_facts();

}  // namespace memstencil
