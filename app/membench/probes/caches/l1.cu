// Probe l1: how fast every multiprocessor reads a footprint that its L1 holds, again and again; and
// what remains of it beyond.
#include "app/membench/core/gpu.cuh"

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
constexpr int threads = 1024;
/// Loads of a thread that are under way at once.
constexpr int in_flight = 4;

__host__ __device__ std::uint32_t l1_word(std::uint32_t n) { return n * 2654435761U + 12345U; }

__global__ void fill_l1_words(std::uint32_t* memory, std::uint32_t words_a_block) {
  for (std::uint32_t n = threadIdx.x; n < words_a_block; n += blockDim.x)
    memory[std::size_t{blockIdx.x} * words_a_block + n] = l1_word(n);
}

/// Each block reads its own part, 16 bytes a thread and load, `passes` times; the first pass, which
/// brings it into L1, and one more step are not timed. `vectors` is a multiple of threads *
/// in_flight. One loop over the steps of all passes: a barrier between passes took some 490 clocks
/// a pass, the start of an inner loop 170.
__global__ void __launch_bounds__(threads, 1)
    read_l1(const uint4* memory, std::uint32_t vectors, int passes, std::uint32_t* sums,
            Clocks clocks) {
  const uint4* const first = memory + std::size_t{blockIdx.x} * vectors + threadIdx.x;
  const uint4* const end = first + vectors;
  const uint4* at = first;
  std::uint32_t sum = 0;
  const auto read_step = [&] {
    uint4 x[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k)
      asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(x[k].x), "=r"(x[k].y), "=r"(x[k].z), "=r"(x[k].w)
                   : "l"(at + k * threads));
#pragma unroll
    for (const uint4& each : x) sum += each.x + each.y + each.z + each.w;
    at += in_flight * threads;
    if (at == end) at = first;
  };
  const int steps = static_cast<int>(vectors) / (in_flight * threads);
#pragma unroll 1
  for (int n = 0; n < steps; ++n) read_step();
  const Interval timed = time_loop(passes * steps, read_step);
  sums[blockIdx.x * threads + threadIdx.x] = sum;
  leave_times(clocks, timed);
}

void measure_l1(State& state) {
  constexpr std::uint32_t step = threads * in_flight * sizeof(uint4);
  const auto vectors = static_cast<std::uint32_t>(
      std::max<std::size_t>(state.bytes("footprint") / step, 1) * step / sizeof(uint4));
  const int passes = static_cast<int>(std::max<std::size_t>((32U << 20) / (16U * vectors), 4));
  const auto blocks = static_cast<unsigned>(multiprocessors());
  const DeviceArray<uint4> memory(std::size_t{blocks} * vectors);
  DeviceArray<std::uint32_t> sums(std::size_t{blocks} * threads);
  ClockedWarps clocked(static_cast<int>(blocks) * threads / 32);
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(read_l1),
                             cudaFuncAttributePreferredSharedMemoryCarveout, 0),
        "as much L1 as there is");
  launch(fill_l1_words, {blocks, threads}, reinterpret_cast<std::uint32_t*>(memory.data()),
         4 * vectors);
  std::vector<std::uint32_t> right(threads, 0);
  for (std::uint32_t word = 0; word < 4 * vectors; ++word) {
    const int times = passes + (word < 4 * threads * in_flight ? 2 : 1);
    right[word / 4 % threads] += l1_word(word) * static_cast<std::uint32_t>(times);
  }
  const double bytes = sizeof(uint4) * vectors;
  state.add("dealt_bytes", bytes);
  state.sample({"bytes_per_clock", "gbs", "multiprocessors_left_out"}, [&] {
    sums.spoil();
    const Clocks clocks = clocked.clocks();
    const double seconds = seconds_of([&] {
      launch(read_l1, {blocks, threads}, memory.data(), vectors, passes, sums.data(), clocks);
    });
    verify_all(state.title(), sums.all(), [&](std::size_t n) { return right[n % threads]; });
    const SmCycles cycles = clocked.cycles(threads / 32);
    // The launch and the untimed pass are in these seconds, too.
    return std::vector{cycles.per_clock(passes * bytes),
                       gbs(blocks * bytes * (passes + 1), seconds), cycles.left_out};
  });
}
#endif

}  // namespace

extern const Probe l1_probe{
    .name = "l1",
    .summary = "reads of a footprint that the L1 of a multiprocessor holds, and beyond",
    .source = "[gpu-benches], L1 cache",
    .counted = "bytes read by a multiprocessor",
    .axes = always({sizes(
        "footprint", {64. * kib, 128. * kib, 192. * kib, 256. * kib, 384. * kib, 512. * kib, mib},
        64 * kib, 64 * mib)}),
    .start = MEMSTENCIL_WITH_CUDA(each_point<measure_l1>),
    .notes = {"a footprint is that of one multiprocessor, a multiple of 64 KiB (dealt_bytes); "
              "bytes_per_clock by its own clock, gbs of all by events",
              "where bytes_per_clock falls, the L1 has ended: L1 and shared memory share their "
              "bytes"}};

}  // namespace memstencil::membench
