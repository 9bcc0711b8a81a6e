// Probe l2: the halves of the L2, what an access takes near and far, and the bandwidth of streams
// over footprints from a part of the L2 to beyond it. Loads pass by L1 (ld.cg), so that L2 or
// memory serves them; a multiprocessor has the same units in each pass.
#include "app/membench/core/probe.hpp"
#include "memory_spaces/capabilities.hpp"

#ifdef MEMSTENCIL_CUDA
#include "app/membench/core/gpu.cuh"
#include "kernels/probes/l2_lines.hpp"

#include <algorithm>
#include <array>

namespace memstencil::membench {

namespace {

/// On 32-bit words: a = constant, a = b, a = b + 3 c. Read adds all words up.
enum class StreamOperation { Read, Write, Copy, Triad };
/// Array 0 is the one that is written; of Read the one that is read.
__host__ __device__ constexpr int arrays_of(StreamOperation operation) {
  if (operation == StreamOperation::Triad) return 3;
  return operation == StreamOperation::Copy ? 2 : 1;
}

/// An access of a warp, 16 bytes a thread: what the work is dealt out in.
constexpr std::uint32_t stream_unit_bytes = 512;
constexpr std::uint32_t stream_unit_words = stream_unit_bytes / sizeof(std::uint32_t);
/// The memory is chosen in blocks of so many units: 4096 bytes.
constexpr std::uint32_t units_of_block = 8;

/// Word n of the memory at first: each is different.
__host__ __device__ std::uint32_t stream_word(std::uint32_t n) { return n * 2654435761U + 12345U; }
/// Word n after it was written by Write.
__host__ __device__ std::uint32_t written_word(std::uint32_t n) { return stream_word(n) + 777U; }
__host__ __device__ std::uint32_t triad_word(std::uint32_t b, std::uint32_t c) { return b + 3 * c; }

/// The place of a multiprocessor in its group, by its identifier (%smid).
struct StreamPlace {
  int group = -1;  ///< 0 or 1; -1: no block is expected there
  std::uint32_t rank = 0, members = 0;
};

/// Multiprocessors that work on the same blocks.
struct StreamGroup {
  /// device: numbers of the memory's blocks, `blocks_an_array` for array 0, then for array 1, 2
  const std::uint32_t* blocks = nullptr;
  std::uint32_t blocks_an_array = 0;
  std::uint32_t units = 0;  ///< of an array: members * share
};

struct StreamJob {
  StreamOperation operation = StreamOperation::Read;
  std::uint32_t* memory = nullptr;      ///< device
  const StreamPlace* places = nullptr;  ///< device: stream_identifiers of them
  StreamGroup groups[2];
  std::uint32_t share = 0;   ///< units of each array that a multiprocessor has, at least 1
  std::uint32_t passes = 0;  ///< over the footprint, in one launch; share * passes below 2^31
  /// device, by identifier: each launch adds 1 and, for Read, the sum of the words, modulo 2^32
  std::uint32_t *arrivals = nullptr, *sums = nullptr;
};

/// Identifiers of multiprocessors are smaller.
constexpr std::size_t stream_identifiers = 1024;

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

__device__ void list_units(const StreamJob& job, const StreamPlace& place, std::uint32_t* table) {
  const StreamGroup& group = job.groups[place.group];
  for (int array = 0; array < arrays_of(job.operation); ++array)
    for (std::uint32_t n = threadIdx.x; n < job.share; n += threads) {
      const std::uint32_t unit = place.rank + n * place.members;
      const std::uint32_t block =
          group.blocks[static_cast<std::uint32_t>(array) * group.blocks_an_array +
                       unit / units_of_block];
      table[static_cast<std::uint32_t>(array) * job.share + n] =
          block * units_of_block + unit % units_of_block;
    }
}

template <StreamOperation Operation>
__global__ void __launch_bounds__(threads, 1) stream(const __grid_constant__ StreamJob job) {
  extern __shared__ std::uint32_t table[];
  std::uint32_t processor = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(processor));
  if (processor >= stream_identifiers) return;
  const StreamPlace place = job.places[processor];
  if (place.group < 0) return;
  list_units(job, place, table);
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

using Kernel = void (*)(StreamJob);

Kernel kernel_of(StreamOperation operation) {
  switch (operation) {
    case StreamOperation::Write:
      return stream<StreamOperation::Write>;
    case StreamOperation::Copy:
      return stream<StreamOperation::Copy>;
    case StreamOperation::Triad:
      return stream<StreamOperation::Triad>;
    case StreamOperation::Read:
      break;
  }
  return stream<StreamOperation::Read>;
}

__global__ void fill_words(std::uint32_t* memory, std::uint32_t words) {
  const std::uint32_t width = gridDim.x * blockDim.x;
  for (std::uint32_t n = blockIdx.x * blockDim.x + threadIdx.x; n < words; n += width)
    memory[n] = stream_word(n);
}

/// A block a unit of an array, a thread a word.
__global__ void compare_words(const __grid_constant__ StreamJob job, int group_number,
                              std::uint32_t* wrong) {
  const StreamGroup& group = job.groups[group_number];
  const auto number = [&](int array) {  // of the word in the memory
    const std::uint32_t block =
        group.blocks[static_cast<std::uint32_t>(array) * group.blocks_an_array +
                     blockIdx.x / units_of_block];
    return (block * units_of_block + blockIdx.x % units_of_block) * stream_unit_words + threadIdx.x;
  };
  const std::uint32_t n = number(0);
  std::uint32_t expected = stream_word(n);
  if (job.operation == StreamOperation::Write) expected = written_word(n);
  if (job.operation == StreamOperation::Copy) expected = stream_word(number(1));
  if (job.operation == StreamOperation::Triad)
    expected = triad_word(stream_word(number(1)), stream_word(number(2)));
  if (job.memory[n] != expected) atomicAdd(wrong, 1U);
  for (int array = 1; array < arrays_of(job.operation); ++array)
    if (job.memory[number(array)] != stream_word(number(array))) atomicAdd(wrong, 1U);
}

/// The largest share * arrays_of() that this GPU takes: a table in shared memory has them.
std::uint32_t largest_stream_share() {
  return static_cast<std::uint32_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) /
         sizeof(std::uint32_t);
}

/// Of the passes, by one block on each multiprocessor: of a launch, less those of a launch without
/// a pass. Both arrive.
double stream_seconds(const StreamJob& job) {
  const Kernel kernel = kernel_of(job.operation);
  // All the shared memory for one block: so each multiprocessor gets one.
  const int shared = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  const auto processors = static_cast<unsigned>(multiprocessors());
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
        "shared memory of a stream");
  const auto seconds = [&](const StreamJob& launch) {
    return seconds_of(
        [&] { kernel<<<processors, threads, static_cast<std::size_t>(shared)>>>(launch); });
  };
  StreamJob empty = job;
  empty.passes = 0;
  const double of_launch = seconds(empty);
  return seconds(job) - of_launch;
}

void count_wrong_words(const StreamJob& job, std::uint32_t* wrong) {
  for (int group = 0; group < 2; ++group)
    if (job.groups[group].units > 0)
      compare_words<<<job.groups[group].units, stream_unit_words>>>(job, group, wrong);
  check(cudaGetLastError(), "comparing the words of a stream");
}

/// The data that multiprocessors access: all, or only blocks of their own half or of the other one.
struct DataChoice {
  std::string name;                      ///< "all", "near", "far"
  std::vector<StreamPlace> places;       ///< by identifier of the multiprocessor
  std::vector<std::uint32_t> blocks[2];  ///< of each group, in the order of addresses
  std::uint32_t members[2] = {0, 0};     ///< multiprocessors of each group
};

/// The work of a footprint in equal shares.
struct Shares {
  std::uint32_t share = 0;          ///< units of each array that a multiprocessor has
  std::size_t footprint_bytes = 0;  ///< of all arrays: at most what was asked for, if that is
                                    ///< enough for a unit each
  std::uint32_t blocks_an_array[2] = {0, 0};
  bool fits = false;  ///< are there blocks enough
};
Shares shares(const DataChoice& data, int arrays, std::size_t footprint);

DataChoice all_data(const L2Halves& halves, std::size_t blocks) {
  DataChoice data{.name = "all", .places = {}, .blocks = {}};
  data.places.resize(stream_identifiers);
  for (std::size_t n = 0; n < halves.half_of.size(); ++n)
    if (halves.half_of[n] >= 0) data.places.at(n) = {.group = 0, .rank = data.members[0]++};
  for (StreamPlace& place : data.places) place.members = data.members[0];
  for (std::size_t n = 0; n < blocks; ++n) data.blocks[0].push_back(static_cast<std::uint32_t>(n));
  return data;
}

DataChoice data_by_half(const L2Halves& halves, const std::vector<int>& half_of_block, bool far) {
  DataChoice data{.name = far ? "far" : "near", .places = {}, .blocks = {}};
  data.places.resize(stream_identifiers);
  for (std::size_t n = 0; n < halves.half_of.size(); ++n) {
    const int half = halves.half_of[n];
    if (half >= 0) data.places.at(n) = {.group = half, .rank = data.members[half]++};
  }
  for (StreamPlace& place : data.places)
    if (place.group >= 0) place.members = data.members[place.group];
  for (std::size_t n = 0; n < half_of_block.size(); ++n)
    if (const int half = half_of_block[n]; half >= 0)
      data.blocks[far ? 1 - half : half].push_back(static_cast<std::uint32_t>(n));
  return data;
}

Shares shares(const DataChoice& data, int arrays, std::size_t footprint) {
  const std::size_t members = data.members[0] + data.members[1];
  const std::size_t a_unit_each = members * static_cast<std::size_t>(arrays) * stream_unit_bytes;
  const std::size_t share = std::max<std::size_t>(footprint / a_unit_each, 1);
  Shares dealt{.share = static_cast<std::uint32_t>(share),
               .footprint_bytes = share * a_unit_each,
               .fits = true};
  for (const int group : {0, 1}) {
    const std::uint32_t units = data.members[group] * dealt.share;
    const std::uint32_t blocks = (units + units_of_block - 1) / units_of_block;
    dealt.blocks_an_array[group] = blocks;
    dealt.fits =
        dealt.fits && static_cast<std::size_t>(arrays) * blocks <= data.blocks[group].size();
  }
  return dealt;
}

std::uint32_t sum_of_pass(const DataChoice& data, const Shares& shares) {
  // The words of a unit are an arithmetic series.
  constexpr std::uint32_t words = stream_unit_words;
  const std::uint32_t step = stream_word(1) - stream_word(0);
  std::uint32_t sum = 0;
  for (const int group : {0, 1})
    for (std::uint32_t unit = 0; unit < data.members[group] * shares.share; ++unit) {
      const std::uint32_t block = data.blocks[group][unit / units_of_block];
      const std::uint32_t first = (block * units_of_block + unit % units_of_block) * words;
      sum += words * stream_word(first) + words * (words - 1) / 2 * step;
    }
  return sum;
}

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t block_bytes = stream_unit_bytes * units_of_block;
static_assert(block_bytes == l2_block_bytes);
/// One sample moves so many bytes: a millisecond from memory.
constexpr double bytes_of_sample = 4.0 * 1024 * mib;

/// Zeros at first: what the timing of lines wants.
class Memory {
public:
  explicit Memory(std::size_t bytes)
      : blocks_(bytes / block_bytes), words_(blocks_ * words_a_block) {
    fill(words_.data(), 0, blocks_ * block_bytes);
  }
  std::size_t blocks() const { return blocks_; }
  std::uint32_t* data() const { return words_.data(); }
  void set_words() const {
    fill_words<<<4096, 256>>>(data(), static_cast<std::uint32_t>(blocks_ * words_a_block));
    check(cudaGetLastError(), "filling the memory of the streams");
  }

private:
  static constexpr std::size_t words_a_block = block_bytes / sizeof(std::uint32_t);
  std::size_t blocks_;
  DeviceArray<std::uint32_t> words_;
};

/// Times lines of the memory from every multiprocessor, and tells the blocks of each half.
class Topology {
public:
  explicit Topology(const Memory& memory)
      : halves_(
            l2_halves(DeviceArray<std::uint32_t>(l2_halves_bytes / sizeof(std::uint32_t)).data())),
        memory_(memory),
        scratch_(l2_scratch_bytes(std::max<std::size_t>(l2_identifiers, memory.blocks()),
                                  l2_lines_timed) /
                 sizeof(std::uint32_t)),
        half_of_line_(halves_.clear ? halves_of_lines(halves_, cycles(L2Access::AtomicAddition))
                                    : std::vector<int>(l2_lines_timed, 0)) {}

  const L2Halves& halves() const { return halves_; }
  NearAndFar access_cycles(L2Access access) const {
    return near_and_far(halves_, cycles(access), half_of_line_);
  }
  std::vector<int> blocks() const {
    const NearAndFar taken = access_cycles(L2Access::AtomicAddition);
    std::vector<double> times[2];
    time_l2_blocks(halves_, memory_.data(), memory_.blocks(), scratch_.data(), times);
    return halves_of_blocks(times, (taken.far - taken.near) / 2);
  }

private:
  std::vector<std::vector<double>> cycles(L2Access access) const {
    return l2_line_cycles(access, memory_.data(), scratch_.data());
  }

  const L2Halves& halves_;
  const Memory& memory_;
  DeviceArray<std::uint32_t> scratch_;
  std::vector<int> half_of_line_;
};

/// Launches of one operation over one footprint.
class Launches {
public:
  Launches(StreamOperation operation, const DataChoice& data, const Shares& shares,
           const Memory& memory)
      : data_(data),
        shares_(shares),
        places_(stream_identifiers),
        arrivals_(stream_identifiers),
        sums_(stream_identifiers),
        blocks_{DeviceArray<std::uint32_t>(std::max<std::size_t>(data.blocks[0].size(), 1)),
                DeviceArray<std::uint32_t>(std::max<std::size_t>(data.blocks[1].size(), 1))} {
    memory.set_words();
    places_.set(data.places);
    const std::vector<std::uint32_t> none(stream_identifiers, 0);
    arrivals_.set(none);
    sums_.set(none);
    job_ = {.operation = operation,
            .memory = memory.data(),
            .places = places_.data(),
            .groups = {},
            .share = shares.share,
            .passes = static_cast<std::uint32_t>(
                std::max(bytes_of_sample / static_cast<double>(shares.footprint_bytes), 1.0)),
            .arrivals = arrivals_.data(),
            .sums = sums_.data()};
    for (const int group : {0, 1}) {
      if (data.members[group] == 0) continue;
      blocks_[group].set(data.blocks[group]);
      job_.groups[group] = {.blocks = blocks_[group].data(),
                            .blocks_an_array = shares.blocks_an_array[group],
                            .units = data.members[group] * shares.share};
    }
  }

  double gbs() {
    const double bytes = static_cast<double>(shares_.footprint_bytes) * job_.passes;
    ++launches_;
    return bytes / stream_seconds(job_) * 1e-9;
  }

  /// @throws Failure(Verification) where a word is wrong, Failure(Machine) where a multiprocessor
  ///         had not the one block that was meant for it
  void check(const std::string& name) const {
    const std::vector<std::uint32_t> arrivals = arrivals_.all(), sums = sums_.all();
    std::uint32_t sum = 0;
    for (std::size_t n = 0; n < arrivals.size(); ++n) {
      const std::uint32_t expected = data_.places[n].group < 0 ? 0 : 2 * launches_;
      if (arrivals[n] != expected)
        throw Failure(ExitCode::Machine,
                      name + ": multiprocessor " + std::to_string(n) +
                          " had another number of "
                          "blocks than meant; run it while no other program uses the GPU");
      sum += sums[n];
    }
    const DeviceArray<std::uint32_t> wrong(std::vector<std::uint32_t>{0});
    count_wrong_words(job_, wrong.data());
    verify(wrong.all()[0] == 0, name + ": words are not what the operation leaves");
    if (job_.operation != StreamOperation::Read) return;
    const std::uint32_t expected = sum_of_pass(data_, shares_) * job_.passes * launches_;
    verify(sum == expected, name + ": the sum of the words read is wrong");
  }

private:
  const DataChoice& data_;
  const Shares& shares_;
  DeviceArray<StreamPlace> places_;
  DeviceArray<std::uint32_t> arrivals_, sums_;
  DeviceArray<std::uint32_t> blocks_[2];
  StreamJob job_;
  std::uint32_t launches_ = 0;
};

/// Half more than the largest footprint: the halves need not be equal, and blocks may be left out.
std::size_t memory_for(std::size_t largest) {
  return std::max(largest + largest / 2, (l2_lines_bytes / block_bytes + 1) * block_bytes);
}

/// What an experiment has: memory, and which of its blocks and multiprocessors belong together.
struct Bench {
  explicit Bench(std::size_t largest)
      : memory(memory_for(largest)),
        topology(memory),
        choices{all_data(topology.halves(), memory.blocks())} {
    if (!topology.halves().clear) return;
    const std::vector<int> half_of_block = topology.blocks();
    unclear = std::count(half_of_block.begin(), half_of_block.end(), -1);
    if (unclear > static_cast<std::ptrdiff_t>(half_of_block.size() / 10)) return;
    for (const bool far : {false, true})
      choices.push_back(data_by_half(topology.halves(), half_of_block, far));
  }
  Memory memory;
  Topology topology;
  std::vector<DataChoice> choices;  ///< all, near, far
  std::ptrdiff_t unclear = 0;
  std::vector<std::string> accesses;  ///< that have been timed
};

/// Near and far; where there are no halves, all lines count as near, and data says "all".
void measure_access(State& state, Bench& bench, L2Access access) {
  const bool clear = bench.topology.halves().clear, far = state.is("data", "far");
  const std::string own = state.text("operation") + state.text("data");
  const bool timed =
      std::find(bench.accesses.begin(), bench.accesses.end(), own) != bench.accesses.end();
  if (timed || state.is("data", "all") == clear || (far && !clear)) state.leave_out();
  bench.accesses.push_back(own);
  state.sample("cycles", [&] {
    const NearAndFar taken = bench.topology.access_cycles(access);
    return far ? taken.far : taken.near;
  });
}

void measure_stream(State& state, Bench& bench, StreamOperation operation) {
  const std::size_t choice = state.is("data", "all") ? 0 : state.is("data", "near") ? 1 : 2;
  if (choice >= bench.choices.size()) {
    if (!bench.topology.halves().clear)
      state.leave_out(
          "near and far: the halves of this L2 could not be told apart: it is of one "
          "piece, or other programs were at work");
    state.leave_out("near and far: " + std::to_string(bench.unclear) +
                    " blocks do not lie in one half alone");
  }
  const DataChoice& data = bench.choices[choice];
  const Shares dealt = shares(data, arrays_of(operation), state.bytes("footprint"));
  const auto of_table = dealt.share * static_cast<std::uint32_t>(arrays_of(operation));
  if (!dealt.fits || of_table > largest_stream_share())
    state.leave_out(state.title() + ": more than its blocks hold");
  Launches launches(operation, data, dealt, bench.memory);
  state.sample("gbs", [&] { return launches.gbs(); });
  launches.check(state.title());
  state.add("dealt_bytes", static_cast<double>(dealt.footprint_bytes));
}

Point start(const Setup&) {
  const std::size_t largest = 8 * gpu_facts().l2_bytes;
  require_memory(MemorySpace::Device, memory_for(largest));
  const auto bench = std::make_shared<Bench>(largest);
  return [bench](State& state) {
    const std::vector<std::string> all{"atomic addition",
                                       "load again",
                                       "load after an atomic addition",
                                       "read",
                                       "write",
                                       "copy",
                                       "triad"};
    const auto number = std::find(all.begin(), all.end(), state.text("operation")) - all.begin();
    const L2Halves& halves = bench->topology.halves();
    state.note("multiprocessors near half 0: " + std::to_string(halves.count(0)) +
               ", near half 1: " + std::to_string(halves.count(1)));
    if (number < 3)
      measure_access(state, *bench,
                     std::array{L2Access::AtomicAddition, L2Access::Load,
                                L2Access::LoadAfterAtomicAddition}[number]);
    else
      measure_stream(state, *bench, static_cast<StreamOperation>(number - 3));
  };
}

}  // namespace

}  // namespace memstencil::membench
#endif

namespace memstencil::membench {

namespace {

std::size_t l2_bytes() {
  const std::size_t told = gpu_facts().l2_bytes;
  return told > 0 ? told : std::size_t{50} << 20;
}

/// Two an octave, from a part of the L2 to eight times its size.
std::vector<Axis> axes(bool) {
  std::vector<Value> footprints;
  for (double bytes = 1 << 20; bytes <= 8 * static_cast<double>(l2_bytes()); bytes *= 2) {
    footprints.emplace_back(bytes);
    footprints.emplace_back(std::floor(bytes * std::sqrt(2.0) / (256 << 10)) * (256 << 10));
  }
  footprints.pop_back();
  return {{.name = "operation",
           .unit = "",
           .values = names({"atomic addition", "load again", "load after an atomic addition",
                            "read", "write", "copy", "triad"})},
          {.name = "data", .unit = "", .values = names({"all", "near", "far"})},
          {.name = "footprint",
           .unit = "B",
           .values = footprints,
           .least = 1 << 20,
           .most = 8 * static_cast<double>(l2_bytes())}};
}

/// Medians of the footprints that the L2 holds in each half, and of those far beyond it.
void derive(std::vector<Row>& rows) {
  const auto l2 = static_cast<double>(l2_bytes());
  std::map<std::pair<std::string, std::string>, std::vector<double>> found;
  for (Row& row : rows) {
    if (!row.has("gbs"))
      std::erase_if(row.cells, [](const auto& c) { return c.first == "footprint"; });
    const double footprint = row.number("dealt_bytes");
    const std::string kind = row.text("operation") + ", " + row.text("data");
    if (footprint >= 1.5 * (1 << 20) && footprint <= l2 / 4)
      found[{kind, "L2"}].push_back(row.number("gbs"));
    if (footprint >= 0.9 * 4 * l2) found[{kind, "memory"}].push_back(row.number("gbs"));
  }
  for (const auto& [key, gbs] : found) {
    const std::size_t comma = key.first.find(", ");
    rows.push_back({{{"operation", key.first.substr(0, comma)},
                     {"data", key.first.substr(comma + 2)},
                     {"level", key.second},
                     {"gbs", median(gbs)}},
                    {}});
  }
}

}  // namespace

extern const Probe l2_probe{
    .name = "l2",
    .summary = "the halves of the L2, and streams over footprints up to beyond it",
    .source = "[gpu-benches], L2 cache and streams",
    .counted = "bytes read + written; cycles of an access by one thread",
    .axes = axes,
    .start = MEMSTENCIL_WITH_CUDA(start),
    .derive = derive,
    .notes = {"a footprint is that of all arrays of the operation, in equal shares for all "
              "multiprocessors (dealt_bytes); loads pass by L1; an access is timed on lines of its "
              "own"},
    .sampling = {.warmups = 1, .fewest = 5, .most = 15}};

}  // namespace memstencil::membench
