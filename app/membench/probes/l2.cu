// Probe l2: the halves of the L2, what an access takes near and far, and the bandwidth of streams
// over footprints from a part of the L2 to beyond it.
#include "app/membench/core/gpu.cuh"
#include "memory_spaces/capabilities.hpp"

#ifdef MEMSTENCIL_CUDA
#include "app/membench/probes/l2_streams.cuh"
#include "kernels/probes/l2_lines.cuh"

#include <algorithm>
#include <array>
#endif

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
constexpr std::size_t block_bytes = stream_unit_bytes * units_of_block;
static_assert(block_bytes == l2_block_bytes);
/// One sample moves so many bytes: a millisecond from memory.
constexpr double bytes_of_sample = 4.0 * gib;

/// The data that multiprocessors access: all, or only blocks of their own half or of the other one.
struct DataChoice {
  std::vector<StreamPlace> places;       ///< by identifier of the multiprocessor
  std::vector<std::uint32_t> blocks[2];  ///< of each group, in the order of addresses
  std::uint32_t members[2] = {0, 0};     ///< multiprocessors of each group

  /// Multiprocessors in the groups that `group_of` tells of their halves.
  explicit DataChoice(const L2Halves& halves, bool by_half) : places(stream_identifiers) {
    for (std::size_t n = 0; n < halves.half_of.size(); ++n) {
      const int group = by_half ? halves.half_of[n] : std::min(halves.half_of[n], 0);
      if (group >= 0) places.at(n) = {.group = group, .rank = members[group]++};
    }
    for (StreamPlace& place : places)
      if (place.group >= 0) place.members = members[place.group];
  }
};

/// The work of a footprint in equal shares.
struct Shares {
  std::uint32_t share;          ///< units of each array that a multiprocessor has
  std::size_t footprint_bytes;  ///< of all arrays: at most what was asked for, if that is enough
                                ///< for a unit each
  std::uint32_t blocks_an_array[2] = {0, 0};
  bool fits = true;  ///< are there blocks enough

  Shares(const DataChoice& data, int arrays, std::size_t footprint) {
    const std::size_t members = data.members[0] + data.members[1];
    const std::size_t a_unit_each = members * static_cast<std::size_t>(arrays) * stream_unit_bytes;
    share = static_cast<std::uint32_t>(std::max<std::size_t>(footprint / a_unit_each, 1));
    footprint_bytes = share * a_unit_each;
    for (const int group : {0, 1}) {
      const std::uint32_t units = data.members[group] * share;
      blocks_an_array[group] = (units + units_of_block - 1) / units_of_block;
      fits = fits &&
             static_cast<std::size_t>(arrays) * blocks_an_array[group] <= data.blocks[group].size();
    }
  }
};

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

/// Cycles of atomic additions from a multiprocessor of each half to the first and the last line of
/// each block of l2_block_bytes; for halves that are clear. Errors as l2_line_cycles().
/// @param memory of the GPU, `blocks` blocks of zeros, and so it stays
/// @param scratch of the GPU, l2_scratch_bytes(2 * blocks, 2)
void time_l2_blocks(const L2Halves& halves, unsigned* memory, std::size_t blocks, void* scratch,
                    std::vector<double> (&cycles)[2]) {
  constexpr int repeats = 4;
  const int lines = static_cast<int>(2 * blocks);
  std::vector<L2Visit> visits(l2_identifiers);
  int met[2] = {0, 0};
  for (std::size_t n = 0; n < visits.size(); ++n) {
    const int half = halves.half_of[n];
    if (half < 0) continue;
    const int first = met[half]++, step = halves.count(half);
    visits[n] = {
        .row = half, .first = first, .step = step, .count = (lines - first + step - 1) / step};
  }
  const L2Lines ends{memory, lines, l2_block_bytes, l2_block_bytes - 128};
  auto rows = timed_lines<L2Access::AtomicAddition>(ends, visits, 2, repeats, scratch);
  for (int half : {0, 1}) cycles[half] = std::move(rows[static_cast<std::size_t>(half)]);
}

/// Times lines of the memory from every multiprocessor, and tells the blocks of each half.
class Topology {
public:
  explicit Topology(const DeviceArray<unsigned>& memory)
      : halves_(l2_halves(DeviceArray<unsigned>(l2_halves_bytes / sizeof(unsigned)).data())),
        memory_(memory),
        blocks_(memory.size() * sizeof(unsigned) / block_bytes),
        scratch_(l2_scratch_bytes(std::max<std::size_t>(l2_identifiers, blocks_), l2_lines_timed) /
                 sizeof(unsigned)),
        half_of_line_(halves_.clear ? halves_of_lines(halves_, cycles<L2Access::AtomicAddition>())
                                    : std::vector<int>(l2_lines_timed, 0)) {}

  const L2Halves& halves() const { return halves_; }
  std::size_t blocks() const { return blocks_; }
  template <L2Access Access>
  NearAndFar access_cycles() const {
    return near_and_far(halves_, cycles<Access>(), half_of_line_);
  }
  /// Of each block.
  std::vector<int> half_of_block() const {
    const NearAndFar taken = access_cycles<L2Access::AtomicAddition>();
    std::vector<double> times[2];
    time_l2_blocks(halves_, memory_.data(), blocks_, scratch_.data(), times);
    return halves_of_blocks(times, (taken.far - taken.near) / 2);
  }

private:
  template <L2Access Access>
  std::vector<std::vector<double>> cycles() const {
    return l2_line_cycles<Access>(memory_.data(), scratch_.data());
  }

  const L2Halves& halves_;
  const DeviceArray<unsigned>& memory_;
  std::size_t blocks_;
  DeviceArray<unsigned> scratch_;
  std::vector<int> half_of_line_;
};

/// Half more than the largest footprint: the halves need not be equal, and blocks may be left out.
std::size_t memory_for(std::size_t largest) {
  return std::max(largest + largest / 2, (l2_lines_bytes / block_bytes + 1) * block_bytes);
}

const DeviceArray<unsigned>& zeros(const DeviceArray<unsigned>& memory) {
  fill(memory.data(), 0, memory.size() * sizeof(unsigned));
  return memory;
}

/// What an experiment has: memory, at first zeros as the timing of lines wants it, and which of its
/// blocks and multiprocessors belong together.
struct Bench {
  explicit Bench(std::size_t largest)
      : memory(memory_for(largest) / block_bytes * block_bytes / sizeof(unsigned)),
        topology(zeros(memory)),
        choices{DataChoice(topology.halves(), false)} {
    for (std::uint32_t n = 0; n < topology.blocks(); ++n) choices[0].blocks[0].push_back(n);
    if (!topology.halves().clear) return;
    const std::vector<int> half_of_block = topology.half_of_block();
    unclear = std::count(half_of_block.begin(), half_of_block.end(), -1);
    if (unclear > static_cast<std::ptrdiff_t>(half_of_block.size() / 10)) return;
    for (const bool far : {false, true}) {
      DataChoice& data = choices.emplace_back(topology.halves(), true);
      for (std::uint32_t n = 0; n < half_of_block.size(); ++n)
        if (const int half = half_of_block[n]; half >= 0)
          data.blocks[far ? 1 - half : half].push_back(n);
    }
  }
  DeviceArray<unsigned> memory;
  Topology topology;
  std::vector<DataChoice> choices;    ///< all, near, far
  std::ptrdiff_t unclear = 0;         ///< blocks that do not lie in one half alone
  std::vector<std::string> accesses;  ///< that have been timed
};

using Kernel = void (*)(StreamJob);

/// Launches of one operation over one footprint.
class Launches {
public:
  Launches(StreamOperation operation, const DataChoice& data, const Shares& shares,
           const DeviceArray<unsigned>& memory)
      : data_(data),
        shares_(shares),
        kernel_(pick<4>(static_cast<int>(operation),
                        [](auto number) -> Kernel {
                          return stream<static_cast<StreamOperation>(decltype(number)::value)>;
                        })),
        // So each multiprocessor gets one block.
        grid_{static_cast<unsigned>(multiprocessors()), threads,
              take_all_shared_memory(reinterpret_cast<const void*>(kernel_))},
        places_(data.places),
        arrivals_(std::vector<std::uint32_t>(stream_identifiers, 0)),
        sums_(std::vector<std::uint32_t>(stream_identifiers, 0)),
        job_{operation,
             memory.data(),
             places_.data(),
             {},
             shares.share,
             static_cast<std::uint32_t>(
                 std::max(bytes_of_sample / static_cast<double>(shares.footprint_bytes), 1.0)),
             arrivals_.data(),
             sums_.data()} {
    launch(fill_words, {4096, 256}, memory.data(), static_cast<std::uint32_t>(memory.size()));
    for (const int group : {0, 1}) {
      if (data.members[group] == 0) continue;
      blocks_.emplace_back(data.blocks[group]);
      job_.groups[group] = {blocks_.back().data(), shares.blocks_an_array[group],
                            data.members[group] * shares.share};
    }
  }

  /// Of the passes: of a launch, less the time of a launch without a pass. Both arrive.
  double gbs() {
    const double bytes = static_cast<double>(shares_.footprint_bytes) * job_.passes;
    StreamJob empty = job_;
    empty.passes = 0;
    ++launches_;
    const double of_launch = seconds_of([&] { launch(kernel_, grid_, empty); });
    return 1e-9 * bytes / (seconds_of([&] { launch(kernel_, grid_, job_); }) - of_launch);
  }

  /// @throws Failure(Verification) where a word is wrong, Failure(Machine) where a multiprocessor
  ///         had not the one block that was meant for it
  void check(const std::string& name) const {
    const std::vector<std::uint32_t> arrivals = arrivals_.all(), sums = sums_.all();
    std::uint32_t sum = 0;
    for (std::size_t n = 0; n < arrivals.size(); ++n) {
      if (arrivals[n] != (data_.places[n].group < 0 ? 0 : 2 * launches_))
        throw Failure(ExitCode::Machine,
                      name + ": multiprocessor " + std::to_string(n) +
                          " had another number of blocks than meant; run it while no other program "
                          "uses the GPU");
      sum += sums[n];
    }
    const DeviceArray<std::uint32_t> wrong(std::vector<std::uint32_t>{0});
    for (int group = 0; group < 2; ++group)
      if (job_.groups[group].units > 0)
        launch(compare_words, {job_.groups[group].units, stream_unit_words}, job_, group,
               wrong.data());
    verify(wrong.all()[0] == 0, name + ": words are not what the operation leaves");
    if (job_.operation != StreamOperation::Read) return;
    const std::uint32_t expected = sum_of_pass(data_, shares_) * job_.passes * launches_;
    verify(sum == expected, name + ": the sum of the words read is wrong");
  }

private:
  const DataChoice& data_;
  const Shares& shares_;
  Kernel kernel_;
  Grid grid_;
  DeviceArray<StreamPlace> places_;
  DeviceArray<std::uint32_t> arrivals_, sums_;
  std::vector<DeviceArray<std::uint32_t>> blocks_;
  StreamJob job_;
  std::uint32_t launches_ = 0;
};

/// Near and far; where there are no halves, all lines count as near, and data says "all".
template <L2Access Access>
void measure_access(State& state, Bench& bench) {
  const bool clear = bench.topology.halves().clear, far = state.is("data", "far");
  const std::string own = state.text("operation") + state.text("data");
  const bool timed =
      std::find(bench.accesses.begin(), bench.accesses.end(), own) != bench.accesses.end();
  if (timed || state.is("data", "all") == clear || (far && !clear)) state.leave_out();
  bench.accesses.push_back(own);
  state.sample("cycles", [&] {
    const NearAndFar taken = bench.topology.access_cycles<Access>();
    return far ? taken.far : taken.near;
  });
}

void measure_stream(State& state, Bench& bench, StreamOperation operation) {
  const auto choice = static_cast<std::size_t>(state.index("data"));
  if (choice >= bench.choices.size())
    state.leave_out(bench.topology.halves().clear
                        ? "near and far: " + std::to_string(bench.unclear) +
                              " blocks do not lie in one half alone"
                        : "near and far: the halves of this L2 could not be told apart: it is of "
                          "one piece, or other programs were at work");
  const DataChoice& data = bench.choices[choice];
  const Shares shares(data, arrays_of(operation), state.bytes("footprint"));
  // A table in shared memory has the units.
  const auto of_table = shares.share * static_cast<std::uint32_t>(arrays_of(operation));
  if (!shares.fits ||
      of_table * sizeof(std::uint32_t) >
          static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)))
    state.leave_out(state.title() + ": more than its blocks hold");
  Launches launches(operation, data, shares, bench.memory);
  state.sample("gbs", [&] { return launches.gbs(); });
  launches.check(state.title());
  state.add("dealt_bytes", static_cast<double>(shares.footprint_bytes));
}

Point start(const Setup&) {
  const std::size_t largest = 8 * gpu_facts().l2_bytes;
  require_memory(MemorySpace::Device, memory_for(largest));
  const auto bench = std::make_shared<Bench>(largest);
  return [bench](State& state) {
    const L2Halves& halves = bench->topology.halves();
    state.note("multiprocessors near half 0: " + std::to_string(halves.count(0)) +
               ", near half 1: " + std::to_string(halves.count(1)));
    switch (const int number = state.index("operation")) {
      case 0:
        return measure_access<L2Access::AtomicAddition>(state, *bench);
      case 1:
        return measure_access<L2Access::Load>(state, *bench);
      case 2:
        return measure_access<L2Access::LoadAfterAtomicAddition>(state, *bench);
      default:
        measure_stream(state, *bench, static_cast<StreamOperation>(number - 3));
    }
  };
}
#endif

std::size_t l2_bytes() {
  const std::size_t told = gpu_facts().l2_bytes;
  return told > 0 ? told : 50 * mib;
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
void derive(std::vector<Row>& rows) {
  const auto l2 = static_cast<double>(l2_bytes());
  std::vector<Row> more;
  for (Row& row : rows)
    if (!row.has("gbs"))
      std::erase_if(row.cells, [](const auto& c) { return c.first == "footprint"; });
  for (const Group& kind : groups(rows, {"operation", "data"})) {
    std::map<std::string, std::vector<double>> levels;
    for (const Row* row : kind.rows) {
      const double footprint = row->number("dealt_bytes");
      if (footprint >= 1.5 * mib && footprint <= l2 / 4) levels["L2"].push_back(row->number("gbs"));
      if (footprint >= 0.9 * 4 * l2) levels["memory"].push_back(row->number("gbs"));
    }
    for (const auto& [level, gbs] : levels) {
      more.push_back(kind.like);
      more.back().set("level", Value(level));
      more.back().set("gbs", median(gbs));
    }
  }
  rows.insert(rows.end(), more.begin(), more.end());
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
