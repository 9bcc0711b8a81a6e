// Probe l2: what an access takes to the near and the far half of the L2, and the bandwidth of
// streams over footprints from a part of the L2 to beyond it.
#include "app/membench/core/gpu.cuh"

#ifdef MEMSTENCIL_CUDA
#include "kernels/probes/l2_lines.cuh"
#else
#include "memory_spaces/capabilities.hpp"
#endif

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
/// On 32-bit words: a = constant, a = b, a = b + 3 c. Read adds all words up.
enum class StreamOperation { Read, Write, Copy, Triad };
/// Array 0 is the one that is written; of Read the one that is read.
__host__ __device__ constexpr std::uint32_t arrays_of(StreamOperation operation) {
  if (operation == StreamOperation::Triad) return 3;
  return operation == StreamOperation::Copy ? 2 : 1;
}

/// An access of a warp, 16 bytes a thread: what the work is dealt out in.
constexpr std::uint32_t stream_unit_bytes = 512;
constexpr std::uint32_t stream_unit_words = stream_unit_bytes / sizeof(std::uint32_t);

/// Word n of the memory at first: each is different.
constexpr std::uint32_t word_step = 2654435761U, word_0 = 12345U;
__host__ __device__ std::uint32_t stream_word(std::uint32_t n) { return n * word_step + word_0; }
/// Word n after it was written by Write.
__host__ __device__ std::uint32_t written_word(std::uint32_t n) { return stream_word(n) + 777U; }
__host__ __device__ std::uint32_t triad_word(std::uint32_t b, std::uint32_t c) { return b + 3 * c; }

/// Loads pass by L1 (ld.cg), so that L2 or memory serves them; a multiprocessor has the same units
/// in each pass: of `members` it has the units rank, rank + members, ... of each array. The arrays
/// stand one after the other.
struct StreamJob {
  StreamOperation operation = StreamOperation::Read;
  std::uint32_t* memory = nullptr;
  const int* ranks = nullptr;            ///< by identifier (%smid); -1: no block is expected there
  std::uint32_t members = 0, share = 0;  ///< units of each array that a multiprocessor has: `share`
  std::uint32_t passes = 0;  ///< over the footprint, in one launch; share * passes below 2^31
  /// By identifier: each launch adds 1 and, for Read, the sum of the words, modulo 2^32.
  std::uint32_t *arrivals = nullptr, *sums = nullptr;
  __host__ __device__ std::uint32_t units() const { return members * share; }  ///< of an array
};

constexpr int threads = 1024;
constexpr std::uint32_t warps = threads / 32;
/// Accesses of a warp that are under way at once: enough for the whole bandwidth of an L2.
constexpr int in_flight = 4;

__device__ __forceinline__ uint4 load(const uint4* at) {
  uint4 x{};
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
               : "l"(at));
  return x;
}

__device__ __forceinline__ void store(uint4* at, uint4 x) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(x.x), "r"(x.y), "r"(x.z),
               "r"(x.w)
               : "memory");
}

/// The units of a multiprocessor: a table in shared memory, [array][unit].
struct OwnUnits {
  uint4* memory;
  const std::uint32_t* table;
  std::uint32_t share;
  __device__ __forceinline__ uint4* at(int array, std::uint32_t n) const {
    const std::uint32_t unit = table[static_cast<std::uint32_t>(array) * share + n];
    return memory + (static_cast<std::size_t>(unit) * 32 + threadIdx.x % 32);
  }
};

/// An access of a warp: loads first, so that several of them are under way, then the rest.
template <StreamOperation Operation>
struct Access {
  uint4* to;
  uint4 b, c;
  __device__ __forceinline__ void begin(const OwnUnits& own, std::uint32_t n) {
    to = own.at(0, n);
    if constexpr (Operation == StreamOperation::Read) b = load(to);
    if constexpr (Operation == StreamOperation::Copy || Operation == StreamOperation::Triad)
      b = load(own.at(1, n));
    if constexpr (Operation == StreamOperation::Triad) c = load(own.at(2, n));
  }
  __device__ __forceinline__ void end(const OwnUnits& own, std::uint32_t& sum) const {
    if constexpr (Operation == StreamOperation::Read) {
      sum += b.x + b.y + b.z + b.w;
    } else if constexpr (Operation == StreamOperation::Write) {
      const auto n = static_cast<std::uint32_t>(to - own.memory) * 4;
      store(to, {written_word(n), written_word(n + 1), written_word(n + 2), written_word(n + 3)});
    } else if constexpr (Operation == StreamOperation::Copy) {
      store(to, b);
    } else {
      store(to, {triad_word(b.x, c.x), triad_word(b.y, c.y), triad_word(b.z, c.z),
                 triad_word(b.w, c.w)});
    }
  }
};

template <StreamOperation Operation>
__global__ void __launch_bounds__(threads, 1) stream(const __grid_constant__ StreamJob job) {
  extern __shared__ std::uint32_t table[];
  std::uint32_t processor = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(processor));
  if (processor >= l2_identifiers) return;
  const int rank = job.ranks[processor];
  if (rank < 0) return;
  for (std::uint32_t array = 0; array < arrays_of(Operation); ++array)
    for (std::uint32_t n = threadIdx.x; n < job.share; n += threads)
      table[array * job.share + n] =
          array * job.units() + static_cast<std::uint32_t>(rank) + n * job.members;
  __syncthreads();

  // The warps take turns: access n of the multiprocessor is unit n % share, pass n / share.
  const OwnUnits own{reinterpret_cast<uint4*>(job.memory), table, job.share};
  const std::uint32_t warp = threadIdx.x / 32, accesses = job.share * job.passes;
  std::uint32_t left = accesses > warp ? (accesses - warp + warps - 1) / warps : 0;
  std::uint32_t n = warp % job.share, sum = 0;
  const std::uint32_t step = warps % job.share;
  const auto next = [&] {
    const std::uint32_t now = n;
    n += step;
    if (n >= job.share) n -= job.share;
    return now;
  };
#pragma unroll 1
  for (; left >= in_flight; left -= in_flight) {
    Access<Operation> access[in_flight];
#pragma unroll
    for (auto& each : access) each.begin(own, next());
#pragma unroll
    for (auto& each : access) each.end(own, sum);
  }
#pragma unroll 1
  for (; left > 0; --left) {
    Access<Operation> access;
    access.begin(own, next());
    access.end(own, sum);
  }
  if constexpr (Operation == StreamOperation::Read) {
    for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0U, sum, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(&job.sums[processor], sum);
  }
  if (threadIdx.x == 0) atomicAdd(&job.arrivals[processor], 1U);
}

__global__ void fill_words(std::uint32_t* memory, std::uint32_t words) {
  const std::uint32_t width = gridDim.x * blockDim.x;
  for (std::uint32_t n = blockIdx.x * blockDim.x + threadIdx.x; n < words; n += width)
    memory[n] = stream_word(n);
}

/// Block b compares unit b of each array, a thread a word.
__global__ void compare_words(const __grid_constant__ StreamJob job, std::uint32_t* wrong) {
  const std::uint32_t n = blockIdx.x * stream_unit_words + threadIdx.x;
  const std::uint32_t an_array = job.units() * stream_unit_words;
  std::uint32_t expected = stream_word(n);
  if (job.operation == StreamOperation::Write) expected = written_word(n);
  if (job.operation == StreamOperation::Copy) expected = stream_word(n + an_array);
  if (job.operation == StreamOperation::Triad)
    expected = triad_word(stream_word(n + an_array), stream_word(n + 2 * an_array));
  if (job.memory[n] != expected) atomicAdd(wrong, 1U);
  for (std::uint32_t array = 1; array < arrays_of(job.operation); ++array)
    if (job.memory[n + array * an_array] != stream_word(n + array * an_array)) atomicAdd(wrong, 1U);
}

/// One sample moves so many bytes: a millisecond from memory.
constexpr double bytes_of_sample = 4.0 * gib;

/// What an experiment has: memory for the largest footprint, and the halves of the L2.
struct Bench {
  explicit Bench(std::size_t largest)
      : memory(std::max(largest, l2_lines_bytes) / sizeof(unsigned)),
        scratch(l2_halves_bytes / sizeof(unsigned)),
        halves(l2_halves(scratch.data())) {
    ranks.resize(l2_identifiers, -1);
    for (std::size_t n = 0; n < halves.half_of.size(); ++n)
      if (halves.half_of[n] >= 0) ranks[n] = members++;
    const auto lines = cycles<L2Access::AtomicAddition>();
    half_of_line = halves.clear ? halves_of_lines(halves, lines)
                                : std::vector<int>(static_cast<std::size_t>(l2_lines_timed), 0);
  }
  /// Of accesses from each multiprocessor to each line.
  template <L2Access Access>
  std::vector<std::vector<double>> cycles() {
    fill(memory.data(), 0, l2_lines_bytes);
    return l2_line_cycles<Access>(memory.data(), scratch.data());
  }
  DeviceArray<unsigned> memory, scratch;
  const L2Halves& halves;
  std::vector<int> ranks, half_of_line;
  int members = 0;
  std::vector<std::string> accesses;  ///< that have been timed
};

/// Near and far; where there are no halves, all lines count as near, and data says "all".
template <L2Access Access>
void measure_access(State& state, Bench& bench) {
  const std::string own = state.text("operation") + state.text("data");
  const bool timed =
      std::find(bench.accesses.begin(), bench.accesses.end(), own) != bench.accesses.end();
  const bool far = state.is("data", "far");
  if (timed || state.is("data", "all") == bench.halves.clear || (far && !bench.halves.clear))
    state.leave_out();
  bench.accesses.push_back(own);
  state.sample("cycles", [&] {
    const NearAndFar taken = near_and_far(bench.halves, bench.cycles<Access>(), bench.half_of_line);
    return far ? taken.far : taken.near;
  });
}

void measure_stream(State& state, Bench& bench, StreamOperation operation) {
  if (!state.is("data", "all")) state.leave_out();
  using Kernel = void (*)(StreamJob);
  const auto kernel = pick<4>(static_cast<int>(operation), [](auto number) -> Kernel {
    return stream<static_cast<StreamOperation>(decltype(number)::value)>;
  });
  // So each multiprocessor gets one block.
  const Grid grid{static_cast<unsigned>(multiprocessors()), threads,
                  take_all_shared_memory(reinterpret_cast<const void*>(kernel))};
  const auto members = static_cast<std::uint32_t>(bench.members);
  const std::size_t a_unit_each = std::size_t{members} * arrays_of(operation) * stream_unit_bytes;
  const std::size_t share = std::max<std::size_t>(state.bytes("footprint") / a_unit_each, 1);
  const std::size_t dealt = share * a_unit_each;
  if (dealt > bench.memory.size() * sizeof(unsigned) ||
      share * arrays_of(operation) * sizeof(std::uint32_t) > grid.shared)
    state.leave_out(state.title() + ": more than memory or the table of units holds");
  const DeviceArray<int> ranks(bench.ranks);
  const DeviceArray<std::uint32_t> arrivals(std::vector<std::uint32_t>(l2_identifiers, 0)),
      sums(std::vector<std::uint32_t>(l2_identifiers, 0)), wrong(std::vector<std::uint32_t>{0});
  const StreamJob job{
      operation,
      bench.memory.data(),
      ranks.data(),
      members,
      static_cast<std::uint32_t>(share),
      static_cast<std::uint32_t>(std::max(bytes_of_sample / static_cast<double>(dealt), 1.0)),
      arrivals.data(),
      sums.data()};
  StreamJob empty = job;
  empty.passes = 0;
  launch(fill_words, {4096, 256}, job.memory, static_cast<std::uint32_t>(bench.memory.size()));
  std::uint32_t launches = 0;
  // Of the passes: of a launch, less the time of a launch without a pass. Both arrive.
  state.sample("gbs", [&] {
    ++launches;
    const double of_launch = seconds_of([&] { launch(kernel, grid, empty); });
    const double all = seconds_of([&] { launch(kernel, grid, job); });
    return 1e-9 * static_cast<double>(dealt) * job.passes / (all - of_launch);
  });
  const std::vector<std::uint32_t> arrived = arrivals.all();
  std::uint32_t sum = 0;
  for (const std::uint32_t own : sums.all()) sum += own;
  for (std::size_t n = 0; n < arrived.size(); ++n)
    if (arrived[n] != (bench.ranks[n] < 0 ? 0 : 2 * launches))
      throw Failure(ExitCode::Machine,
                    state.title() + ": multiprocessor " + std::to_string(n) +
                        " had another number of blocks than meant; run it while no other program "
                        "uses the GPU");
  launch(compare_words, {job.units(), stream_unit_words}, job, wrong.data());
  verify(wrong.all()[0] == 0, state.title() + ": words are not what the operation leaves");
  if (operation == StreamOperation::Read) {
    // The words of a pass are an arithmetic series.
    const std::uint64_t words = std::uint64_t{job.units()} * stream_unit_words;
    const auto of_pass =
        static_cast<std::uint32_t>(words * (words - 1) / 2 * word_step + words * word_0);
    verify(sum == of_pass * job.passes * launches,
           state.title() + ": the sum of the words read is wrong");
  }
  state.add("dealt_bytes", static_cast<double>(dealt));
}

Point start(const Setup&) {
  const std::size_t largest = 8 * gpu_facts().l2_bytes;
  require_memory(MemorySpace::Device, largest);
  const auto bench = std::make_shared<Bench>(largest);
  return [bench](State& state) {
    state.note("multiprocessors near half 0 of the L2: " + std::to_string(bench->halves.count(0)) +
               ", near half 1: " + std::to_string(bench->halves.count(1)));
    constexpr decltype(&measure_access<L2Access::Load>) accesses[]{
        measure_access<L2Access::AtomicAddition>, measure_access<L2Access::Load>,
        measure_access<L2Access::LoadAfterAtomicAddition>};
    const int number = state.index("operation");
    if (number < 3) return accesses[number](state, *bench);
    measure_stream(state, *bench, static_cast<StreamOperation>(number - 3));
  };
}
#endif

std::size_t l2_bytes() {
  const std::size_t known = gpu_facts().l2_bytes;
  return known > 0 ? known : 50 * mib;
}

/// Two an octave, from a part of the L2 to eight times its size.
std::vector<Axis> axes(bool) {
  const double most = 8 * static_cast<double>(l2_bytes());
  std::vector<double> footprints;
  for (double bytes = mib; bytes <= most; bytes *= 2)
    for (const double each : {bytes, std::floor(bytes * std::sqrt(2.0) / (256 * kib)) * 256 * kib})
      if (each <= most) footprints.push_back(each);
  return {names("operation", {"atomic addition", "load again", "load after an atomic addition",
                              "read", "write", "copy", "triad"}),
          names("data", {"all", "near", "far"}), sizes("footprint", footprints, mib, most)};
}

/// Medians of the footprints that the L2 holds in each half, and of those far beyond it.
std::vector<Row> levels(std::vector<Row>& rows) {
  const auto l2 = static_cast<double>(l2_bytes());
  std::vector<Row> more;
  for (Row& row : rows)
    if (!row.has("gbs"))
      std::erase_if(row.cells, [](const auto& c) { return c.first == "footprint"; });
  for (const Group& kind : groups(rows, {"operation", "data"})) {
    std::map<std::string, std::vector<double>> of_level;
    for (const Row* row : kind.rows) {
      const double footprint = row->number("dealt_bytes");
      if (footprint >= 1.5 * mib && footprint <= l2 / 4)
        of_level["L2"].push_back(row->number("gbs"));
      if (footprint >= 0.9 * 4 * l2) of_level["memory"].push_back(row->number("gbs"));
    }
    for (const auto& [level, gbs] : of_level) {
      more.push_back(kind.like);
      more.back().set("level", Value(level));
      more.back().set("gbs", median(gbs));
    }
  }
  return more;
}

}  // namespace

extern const Probe l2_probe{
    .name = "l2",
    .summary = "the halves of the L2, and streams over footprints up to beyond it",
    .source = "[gpu-benches], L2 cache and streams",
    .counted = "bytes read + written; cycles of an access by one thread",
    .axes = axes,
    .start = MEMSTENCIL_WITH_CUDA(start),
    .derive = levels,
    .notes = {"a footprint is that of all arrays of the operation, in equal shares for all "
              "multiprocessors (dealt_bytes); loads pass by L1; an access is timed on lines of its "
              "own, near and far"},
    .sampling = {.warmups = 1, .fewest = 5, .most = 15}};

}  // namespace memstencil::membench
