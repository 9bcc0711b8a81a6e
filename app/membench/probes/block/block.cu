// Probe block: cost of a barrier, of divergent paths, and of strides in shared memory
// ([ufrgs-thesis], 3.1.1, 3.1.2, 4.3.1), between two clock reads of one block.
#include "app/membench/core/gpu.cuh"

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
/// In the body of the timed loop: barriers, dependent multiply-adds of each path, and accesses to
/// shared memory, each one word further.
constexpr int barrier_body = 32, path_body = 512, stride_body = 16;
/// Warps of the block whose accesses have a stride, and the words that each has for itself.
constexpr int stride_warps = 8, most_stride = 32, stride_words = 32 * most_stride + stride_body;

/// The word that a lane stores as access k of the body.
__host__ __device__ std::uint32_t stored_word(std::uint32_t lane, std::uint32_t k) {
  return k << 8U | lane;
}
/// Word w of a warp's words before loads.
__host__ __device__ std::uint32_t loaded_word(std::uint32_t w) { return w * 2654435761U; }

/// One block. The timed loop has `iterations` bodies; one more goes before.
struct BlockJob {
  int iterations;
  std::uint32_t* results;
  Clocks clocks;
};

__global__ void barriers(const __grid_constant__ BlockJob job) {
  const Interval taken = time_loop(job.iterations, [] {
#pragma unroll
    for (int k = 0; k < barrier_body; ++k) __syncthreads();
  });
  leave_times(job.clocks, taken);
}

/// The paths differ in a value only, which the compiler does not know.
__global__ void paths(const __grid_constant__ BlockJob job, unsigned count) {
  const unsigned own = threadIdx.x % count;
  std::uint32_t x = threadIdx.x;
  const Interval taken = time_loop(job.iterations, [&] {
#pragma unroll 1
    for (unsigned path = 0; path < count; ++path)
      if (own == path) {
#pragma unroll
        for (int k = 0; k < path_body; ++k)
          asm volatile("mad.lo.u32 %0, %0, 1664525, %1;" : "+r"(x) : "r"(path));
      }
  });
  leave_times(job.clocks, taken);
  job.results[threadIdx.x] = x;
}

/// Volatile: otherwise the assembler takes accesses that repeat out of the loop.
template <bool Store>
__global__ void strides(const __grid_constant__ BlockJob job, unsigned stride) {
  __shared__ std::uint32_t words[stride_warps][stride_words];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned w = lane; w < stride_words; w += 32) words[warp][w] = Store ? 0 : loaded_word(w);
  __syncwarp();
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(&words[warp][lane * stride]));
  std::uint32_t sum = 0;
  const Interval taken = time_loop(job.iterations, [&] {
    if constexpr (Store) {
#pragma unroll
      for (unsigned k = 0; k < stride_body; ++k)
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at + 4 * k), "r"(stored_word(lane, k))
                     : "memory");
    } else {
      std::uint32_t loaded[stride_body];
#pragma unroll
      for (unsigned k = 0; k < stride_body; ++k)
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(loaded[k]) : "r"(at + 4 * k));
#pragma unroll
      for (const std::uint32_t word : loaded) sum += word;
    }
  });
  leave_times(job.clocks, taken);
  if constexpr (Store) {
    __syncwarp();
    for (unsigned w = lane; w < stride_words; w += 32)
      job.results[warp * stride_words + w] = words[warp][w];
  } else {
    job.results[threadIdx.x] = sum;
  }
}

/// Bodies of the timed loop, and those with the one before the clock starts.
constexpr int iterations = 64, bodies = iterations + 1;

/// One block that runs again and again: cycles from the first warp's begin to the last one's end,
/// for each of `events` in the timed loop; gives the results of the last run.
template <class... More>
std::vector<std::uint32_t> sample(State& state, void (*kernel)(BlockJob, More...), int warps,
                                  std::size_t results, int events, More... more) {
  DeviceArray<std::uint32_t> on_gpu(results);
  ClockedWarps clocked(warps);
  state.sample("cycles", [&] {
    on_gpu.spoil();
    launch(kernel, {1, 32 * warps}, {iterations, on_gpu.data(), clocked.clocks()}, more...);
    return clocked.cycles(warps).each(iterations * events);
  });
  return on_gpu.all();
}

void measure_paths(State& state) {
  const auto count = static_cast<unsigned>(state.integer("step"));
  verify_all(state.title(), sample(state, paths, 1, 32, 1, count), [&](std::size_t lane) {
    auto x = static_cast<std::uint32_t>(lane);
    for (std::uint32_t n = 0; n < bodies * path_body; ++n)
      x = x * 1664525U + static_cast<std::uint32_t>(lane) % count;
    return x;
  });
}

/// Each word has the value of an access that reaches it: access k of lane n reaches word
/// n * stride + k. Others of the same word may come before or after.
void verify_stores(const std::string& name, const std::vector<std::uint32_t>& words,
                   std::uint32_t stride) {
  for (std::size_t n = 0; n < words.size(); ++n) {
    const auto word = static_cast<std::uint32_t>(n % stride_words);
    bool right = false, reached = false;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if (word < lane * stride || word - lane * stride >= stride_body) continue;
      reached = true;
      right = right || words[n] == stored_word(lane, word - lane * stride);
    }
    verify(reached ? right : words[n] == 0,
           name + ": word " + std::to_string(n) + " is one that no lane stores there");
  }
}

/// Accesses of 32-bit words that are `step` words apart from lane to lane; 0: all of one word.
void measure_strides(State& state, bool store) {
  const auto stride = static_cast<unsigned>(state.integer("step"));
  constexpr std::size_t words = std::size_t{stride_warps} * stride_words;
  const auto results =
      sample(state, store ? strides<true> : strides<false>, stride_warps,
             store ? words : 32 * stride_warps, stride_body * stride_warps, stride);
  if (store) return verify_stores(state.title(), results, stride);
  verify_all(state.title(), results, [&](std::size_t thread) {
    std::uint32_t sum = 0;
    for (unsigned k = 0; k < stride_body; ++k)
      sum += loaded_word(static_cast<unsigned>(thread % 32 * stride + k));
    return bodies * sum;
  });
}

void measure_block(State& state) {
  if (state.is("kind", "paths")) return measure_paths(state);
  if (!state.is("kind", "barrier")) return measure_strides(state, state.is("kind", "shared store"));
  sample(state, barriers, state.integer("step"), 1, barrier_body);  // they leave nothing
}
#endif

void compare_paths(std::vector<Row>& rows, std::vector<Row>&) {
  double one_path = 0;
  for (const Row& row : rows)
    if (row.is("kind", "paths") && row.number("step") == 1) one_path = row.number("cycles");
  for (Row& row : rows)
    if (row.is("kind", "paths") && one_path > 0)
      row.set("of_one_path", row.number("cycles") / one_path);
}

}  // namespace

extern const Probe block_probe{
    .name = "block",
    .summary = "a barrier, divergent paths, and strides in shared memory",
    .source = "[ufrgs-thesis], 3.1 and 4.3.1",
    .counted = "cycles of a barrier, of a warp's paths, of a warp's access",
    .axes = always({names("kind", {"barrier", "paths", "shared load", "shared store"}),
                    numbers("step", {0, 1, 2, 4, 8, 16, 32})}),
    .is_there =
        [](const Row& row, const auto&) {
          return row.number("step") > 0 || row.text("kind").starts_with("shared");
        },
    .start = MEMSTENCIL_WITH_CUDA(each_point<measure_block>),
    .derive = compare_paths,
    .notes = {"step: warps of the block at barriers, paths of a warp, words from lane to lane (0: "
              "all lanes access one word)",
              "cycles of one barrier; of 512 dependent multiply-adds of a warp, once for each "
              "path; of one access of a warp to shared memory, where 8 warps access it all the "
              "time"},
    .sampling = {.warmups = 2, .fewest = 20, .most = 100}};

}  // namespace memstencil::membench
