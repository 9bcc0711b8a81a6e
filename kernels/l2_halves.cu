// The halves of a GPU's L2 cache: what accesses take from each multiprocessor to each of some lines
// of its memory, and how atomic additions sort the multiprocessors.
#include "kernels/l2_halves.hpp"

#include "kernels/cuda_calls.cuh"

#include <map>
#include <mutex>

namespace memstencil {

static_assert(l2_lines_bytes + l2_scratch_bytes <= l2_halves_bytes);

namespace {

constexpr const char* l2 = "L2";  // in errors

template <L2Access Access>
__device__ unsigned access(unsigned* at) {
  if constexpr (Access == L2Access::AtomicAddition) {
    return atomicAdd(at, 0U);
  } else {
    unsigned value = 0;
    // Not ld.cg: the assembler takes that out of the loop over the repeats.
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
  }
}

/// One thread a block, which writes to cycles[identifier of its multiprocessor][line]. The least of
/// several times counts: what others do at a line only adds to it.
template <L2Access Access>
__global__ void time_lines(unsigned* memory, int repeats, unsigned* cycles) {
  unsigned processor = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(processor));
  if (processor >= l2_identifiers) return;
  unsigned* const own = cycles + processor * l2_lines_timed;
  for (unsigned n = 0; n < l2_lines_timed; ++n) {
    const unsigned line = (processor * 7 + n) % l2_lines_timed;  // not all at one line
    unsigned* const at = memory + line * (l2_line_spread / sizeof(unsigned));
    unsigned least = ~0U;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      if constexpr (Access == L2Access::LoadAfterAtomicAddition)
        if (atomicAdd(at, 0U) != 0U) return;
      const long long begin = clock64();
      if (access<Access>(at) != 0U) return;  // never; but to know it the thread must wait
      least = min(least, static_cast<unsigned>(clock64() - begin));
    }
    own[line] = least;
  }
}

}  // namespace

std::vector<std::vector<double>> l2_line_cycles(L2Access kind, unsigned* memory,
                                                unsigned* scratch) {
  constexpr int repeats = 16;
  const auto kernel = kind == L2Access::AtomicAddition ? time_lines<L2Access::AtomicAddition>
                      : kind == L2Access::Load         ? time_lines<L2Access::Load>
                                               : time_lines<L2Access::LoadAfterAtomicAddition>;
  const int processors = gpu_attribute(cudaDevAttrMultiProcessorCount),
            shared = gpu_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  // All the shared memory for one block: so each multiprocessor gets one.
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), l2);
  check(cudaMemset(memory, 0, l2_lines_bytes), l2);
  check(cudaMemset(scratch, 0, l2_scratch_bytes), l2);
  kernel<<<static_cast<unsigned>(processors), 1, static_cast<std::size_t>(shared)>>>(
      memory, repeats, scratch);
  check(cudaGetLastError(), l2);
  std::vector<unsigned> host(l2_scratch_bytes / sizeof(unsigned));
  check(cudaMemcpy(host.data(), scratch, l2_scratch_bytes, cudaMemcpyDeviceToHost), l2);
  std::vector<std::vector<double>> out;
  for (auto row = host.begin(); row != host.end(); row += l2_lines_timed)
    out.emplace_back(row, row + l2_lines_timed);
  return out;
}

const L2Halves& l2_halves(unsigned* memory) {
  static std::mutex one_at_a_time;
  static std::map<int, L2Halves> of_device;
  const std::lock_guard lock(one_at_a_time);
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  const auto known = of_device.find(device);
  if (known != of_device.end()) return known->second;
  const auto cycles =
      l2_line_cycles(L2Access::AtomicAddition, memory, memory + l2_lines_bytes / sizeof(unsigned));
  return of_device.emplace(device, sort_by_half(cycles)).first->second;
}

}  // namespace memstencil
