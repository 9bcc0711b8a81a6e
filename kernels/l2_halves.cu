// The probe of the L2's halves: what accesses take from each multiprocessor to each of some lines.
#include "kernels/l2_halves.hpp"

#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

namespace memstencil {
namespace {

constexpr int most_processors = 1024;
constexpr std::size_t line_bytes = 128;

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

/// Memory of the GPU, all 0, for as long as the object lives.
class Zeros {
public:
  explicit Zeros(std::size_t bytes) {
    check(cudaMalloc(&memory_, bytes), "L2 halves");
    check(cudaMemset(memory_, 0, bytes), "L2 halves");
  }
  ~Zeros() { cudaFree(memory_); }
  Zeros(const Zeros&) = delete;
  Zeros& operator=(const Zeros&) = delete;
  unsigned* data() const { return memory_; }

private:
  unsigned* memory_ = nullptr;
};

/// The lines that a multiprocessor times, and the row of the result that it writes.
struct Visit {
  int row = -1;  ///< -1: it times nothing
  int first = 0, step = 1, count = 0;
};

/// Line n of a set of lines in memory.
struct SpreadLines {
  unsigned* memory;
  int lines;
  __device__ unsigned* at(int n) const {
    return memory + static_cast<std::size_t>(n) * (l2_line_spread / sizeof(unsigned));
  }
};

/// The first and the last line of each block.
struct EndsOfBlocks {
  unsigned* memory;
  int lines;
  __device__ unsigned* at(int n) const {
    const std::size_t byte = static_cast<std::size_t>(n / 2) * l2_block_bytes +
                             (n % 2 == 0 ? 0 : l2_block_bytes - line_bytes);
    return memory + byte / sizeof(unsigned);
  }
};

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

/// One thread a block. The least of several times counts: what others do at a line only adds to it.
template <L2Access Access, class Lines>
__global__ void time_lines(Lines lines, const Visit* visits, int repeats, unsigned* cycles) {
  unsigned processor = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(processor));
  if (processor >= most_processors || visits[processor].row < 0) return;
  const Visit visit = visits[processor];
  unsigned* const own = cycles + static_cast<std::size_t>(visit.row) * lines.lines;
  for (int n = 0; n < visit.count; ++n) {
    const int line = (visit.first + n * visit.step) % lines.lines;
    unsigned* const at = lines.at(line);
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

/// One block on each multiprocessor; gives `rows` rows of cycles, 0 where nobody came.
template <L2Access Access, class Lines>
std::vector<std::vector<double>> timed(const Lines& lines, const std::vector<Visit>& visits,
                                       int rows, int repeats) {
  const auto kernel = time_lines<Access, Lines>;
  int device = 0;
  int processors = 0;
  int shared = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "multiprocessors");
  check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "shared memory");
  // All the shared memory for one block: so each multiprocessor gets one.
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
        "L2 halves");
  const std::size_t a_row = static_cast<std::size_t>(lines.lines);
  std::vector<unsigned> host(a_row * static_cast<std::size_t>(rows));
  const Zeros cycles(host.size() * sizeof(unsigned));
  const Zeros visits_there(visits.size() * sizeof(Visit));
  check(cudaMemcpy(visits_there.data(), visits.data(), visits.size() * sizeof(Visit),
                   cudaMemcpyHostToDevice),
        "L2 halves");
  kernel<<<static_cast<unsigned>(processors), 1, static_cast<std::size_t>(shared)>>>(
      lines, reinterpret_cast<const Visit*>(visits_there.data()), repeats, cycles.data());
  check(cudaGetLastError(), "L2 halves");
  check(cudaMemcpy(host.data(), cycles.data(), host.size() * sizeof(unsigned),
                   cudaMemcpyDeviceToHost),
        "L2 halves");
  std::vector<std::vector<double>> out;
  for (std::size_t row = 0; row < host.size(); row += a_row) {
    const auto begin = host.begin() + static_cast<std::ptrdiff_t>(row);
    out.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(a_row));
  }
  return out;
}

L2Halves probe() {
  const Zeros memory(l2_lines_bytes);
  return sort_by_half(l2_line_cycles(L2Access::AtomicAddition, memory.data()));
}

}  // namespace

std::vector<std::vector<double>> l2_line_cycles(L2Access access, unsigned* memory) {
  constexpr int repeats = 16;
  std::vector<Visit> visits;
  for (int n = 0; n < most_processors; ++n)  // not all at one line
    visits.push_back(
        {.row = n, .first = n * 7 % l2_lines_timed, .step = 1, .count = l2_lines_timed});
  const SpreadLines lines{memory, l2_lines_timed};
  switch (access) {
    case L2Access::Load:
      return timed<L2Access::Load>(lines, visits, most_processors, repeats);
    case L2Access::LoadAfterAtomicAddition:
      return timed<L2Access::LoadAfterAtomicAddition>(lines, visits, most_processors, repeats);
    case L2Access::AtomicAddition:
      break;
  }
  return timed<L2Access::AtomicAddition>(lines, visits, most_processors, repeats);
}

void time_l2_blocks(unsigned* memory, std::size_t blocks, std::vector<double> (&cycles)[2]) {
  constexpr int repeats = 4;
  const L2Halves& halves = l2_halves();
  const int lines = static_cast<int>(2 * blocks);
  std::vector<Visit> visits(most_processors);
  int met[2] = {0, 0};
  for (std::size_t n = 0; n < visits.size(); ++n) {
    const int half = halves.half_of[n];
    if (half < 0) continue;
    const int first = met[half]++, step = halves.count(half);
    visits[n] = {
        .row = half, .first = first, .step = step, .count = (lines - first + step - 1) / step};
  }
  auto rows = timed<L2Access::AtomicAddition>(EndsOfBlocks{memory, lines}, visits, 2, repeats);
  for (int half : {0, 1}) cycles[half] = std::move(rows[static_cast<std::size_t>(half)]);
}

const L2Halves& l2_halves() {
  static std::mutex one_at_a_time;
  static std::map<int, L2Halves> of_device;
  const std::lock_guard lock(one_at_a_time);
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  const auto known = of_device.find(device);
  return known != of_device.end() ? known->second
                                  : of_device.emplace(device, probe()).first->second;
}

}  // namespace memstencil
