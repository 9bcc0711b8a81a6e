// The halves of a GPU's L2 cache, by what its multiprocessors need for atomic additions.
#include "kernels/l2_halves.hpp"

#include "kernels/probes/l2_lines.hpp"

#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <stdexcept>

namespace memstencil {

static_assert(l2_lines_bytes + l2_scratch_bytes <= l2_halves_bytes);

const L2Halves& l2_halves(unsigned* memory) {
  static std::mutex one_at_a_time;
  static std::map<int, L2Halves> of_device;
  const std::lock_guard lock(one_at_a_time);
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) throw std::runtime_error("L2: no GPU is in use");
  const auto known = of_device.find(device);
  if (known != of_device.end()) return known->second;
  const auto cycles =
      l2_line_cycles(L2Access::AtomicAddition, memory, memory + l2_lines_bytes / sizeof(unsigned));
  return of_device.emplace(device, sort_by_half(cycles)).first->second;
}

}  // namespace memstencil
