// The probe of the L2's halves: what atomic additions take from each
// multiprocessor to each of some lines.
#include "kernels/l2_halves.hpp"

#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

namespace memstencil {
namespace {

constexpr int lines = 96;
constexpr int repeats = 16;
constexpr int most_processors = 1024;
/// Bytes from line to line: neighbours in neighbouring pages, not at the same place in them.
constexpr int spread = 4096 + 128;

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

/// One thread a block. The least of several times counts: what others do at a line only adds to it.
__global__ void time_lines(char* memory, unsigned* cycles) {
  unsigned processor = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(processor));
  if (processor >= most_processors) return;
  unsigned* const own = cycles + processor * lines;
  for (int n = 0; n < lines; ++n) {
    const int line = static_cast<int>((n + processor * 7) % lines);  // not all at one line
    auto* const at = reinterpret_cast<unsigned*>(memory + static_cast<std::size_t>(line) * spread);
    unsigned least = ~0U;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const long long begin = clock64();
      if (atomicAdd(at, 0U) != 0U) return;  // never; but to know it the thread must wait
      least = min(least, static_cast<unsigned>(clock64() - begin));
    }
    own[line] = least;
  }
}

L2Halves probe(int device) {
  int processors = 0;
  int shared = 0;
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "multiprocessors");
  check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "shared memory");
  // All the shared memory for one block: so each multiprocessor gets one.
  check(cudaFuncSetAttribute(time_lines, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
        "L2 halves");
  char* memory = nullptr;
  unsigned* cycles = nullptr;
  std::vector<unsigned> host(static_cast<std::size_t>(most_processors) * lines, 0U);
  check(cudaMalloc(&memory, static_cast<std::size_t>(lines) * spread), "L2 halves");
  check(cudaMalloc(&cycles, host.size() * sizeof(unsigned)), "L2 halves");
  check(cudaMemset(memory, 0, static_cast<std::size_t>(lines) * spread), "L2 halves");
  check(cudaMemset(cycles, 0, host.size() * sizeof(unsigned)), "L2 halves");
  time_lines<<<static_cast<unsigned>(processors), 1, static_cast<std::size_t>(shared)>>>(memory,
                                                                                         cycles);
  check(cudaGetLastError(), "L2 halves");
  check(cudaMemcpy(host.data(), cycles, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost),
        "L2 halves");
  check(cudaFree(memory), "L2 halves");
  check(cudaFree(cycles), "L2 halves");
  std::vector<std::vector<double>> rows;
  for (auto row = host.begin(); row != host.end(); row += lines)
    rows.emplace_back(row, row + lines);
  return sort_by_half(rows);
}

}  // namespace

const L2Halves& l2_halves() {
  static std::mutex one_at_a_time;
  static std::map<int, L2Halves> of_device;
  const std::lock_guard lock(one_at_a_time);
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  const auto known = of_device.find(device);
  return known != of_device.end() ? known->second
                                  : of_device.emplace(device, probe(device)).first->second;
}

}  // namespace memstencil
