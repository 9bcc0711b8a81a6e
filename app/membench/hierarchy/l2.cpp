// Probe l2: the halves of the L2, what an access takes near and far, and the bandwidth of streams
// over footprints from a part of the L2 to beyond it.
#include "app/membench/hierarchy/l2_data.hpp"

#include "app/common/record/text_report.hpp"
#include "app/membench/core/gpu.hpp"
#include "app/membench/hierarchy/chases.hpp"

#include <algorithm>
#include <optional>

namespace memstencil::membench::l2_probe {

using probes::StreamOperation;

namespace {

constexpr Sampling usual{.warmups = 1, .repeats = 5, .limit = 15};
constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t block_bytes = probes::stream_unit_bytes * probes::units_of_block;
static_assert(block_bytes == l2_block_bytes);
/// One sample moves so many bytes: a millisecond from memory.
constexpr double bytes_of_sample = 4.0 * 1024 * mib;

constexpr const char* not_told_apart =
    "the halves of this L2 could not be told apart: it is of one piece, or other programs were at "
    "work; near and far are left out";

std::string operation_name(StreamOperation operation) {
  constexpr std::array names{"read", "write", "copy", "triad"};
  return names.at(static_cast<std::size_t>(operation));
}

std::string access_name(L2Access access) {
  if (access == L2Access::AtomicAddition) return "atomic addition";
  return access == L2Access::Load ? "load again" : "load after an atomic addition";
}

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
    in_cuda<probes::fill_stream_words>(data(), static_cast<std::uint32_t>(blocks_ * words_a_block));
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
      : halves_(halves()),
        memory_(memory),
        scratch_(l2_scratch_bytes(std::max<std::size_t>(l2_identifiers, memory.blocks()),
                                  l2_lines_timed) /
                 sizeof(std::uint32_t)),
        half_of_line_(halves_.clear ? halves_of_lines(halves_, cycles(L2Access::AtomicAddition))
                                    : std::vector<int>(l2_lines_timed, 0)) {}

  static const L2Halves& halves() {
    return in_cuda<l2_halves>(
        DeviceArray<std::uint32_t>(l2_halves_bytes / sizeof(std::uint32_t)).data());
  }
  NearAndFar access_cycles(L2Access access) const {
    return near_and_far(halves_, cycles(access), half_of_line_);
  }
  std::vector<int> blocks() const {
    const NearAndFar taken = access_cycles(L2Access::AtomicAddition);
    std::vector<double> times[2];
    in_cuda<time_l2_blocks>(halves_, memory_.data(), memory_.blocks(), scratch_.data(), times);
    return halves_of_blocks(times, (taken.far - taken.near) / 2);
  }

private:
  std::vector<std::vector<double>> cycles(L2Access access) const {
    return in_cuda<l2_line_cycles>(access, memory_.data(), scratch_.data());
  }

  const L2Halves& halves_;
  const Memory& memory_;
  DeviceArray<std::uint32_t> scratch_;
  std::vector<int> half_of_line_;
};

/// Near and far; where there are no halves, all lines count as near, and `data` says "all".
void measure_accesses(const Topology& topology, Collector& collector) {
  for (const L2Access access :
       {L2Access::AtomicAddition, L2Access::Load, L2Access::LoadAfterAtomicAddition})
    for (const bool far : {false, true}) {
      const bool clear = topology.halves().clear;
      if (far && !clear) continue;
      const std::string data = !clear ? "all" : far ? "far" : "near";
      collector.measure(fmt::format("{}, {}", access_name(access), data),
                        {{"access", access_name(access)}, {"data", data}}, "cycles", [&] {
                          const NearAndFar taken = topology.access_cycles(access);
                          return far ? taken.far : taken.near;
                        });
    }
}

/// Launches of one operation over one footprint.
class Stream {
public:
  Stream(StreamOperation operation, const DataChoice& data, const Shares& shares,
         const Memory& memory)
      : data_(data),
        shares_(shares),
        places_(probes::stream_identifiers),
        arrivals_(probes::stream_identifiers),
        sums_(probes::stream_identifiers),
        blocks_{DeviceArray<std::uint32_t>(std::max<std::size_t>(data.blocks[0].size(), 1)),
                DeviceArray<std::uint32_t>(std::max<std::size_t>(data.blocks[1].size(), 1))} {
    memory.set_words();
    places_.set(data.places);
    const std::vector<std::uint32_t> none(probes::stream_identifiers, 0);
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
    return bytes / in_cuda<probes::stream_seconds>(job_) * 1e-9;
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
                      fmt::format("{}: multiprocessor {} had {} blocks instead of {}; run it while "
                                  "no other program uses the GPU",
                                  name, n, arrivals[n], expected));
      sum += sums[n];
    }
    DeviceArray<std::uint32_t> wrong(1);
    wrong.set({0});
    in_cuda<probes::count_wrong_words>(job_, wrong.data());
    verify(wrong.all()[0] == 0, "{}: {} words are not what the operation leaves", name,
           wrong.all()[0]);
    if (job_.operation != StreamOperation::Read) return;
    const std::uint32_t expected = sum_of_pass(data_, shares_) * job_.passes * launches_;
    verify(sum == expected, "{}: the sum of the words read is {}, and {} is right (modulo 2^32)",
           name, sum, expected);
  }

private:
  const DataChoice& data_;
  const Shares& shares_;
  DeviceArray<probes::StreamPlace> places_;
  DeviceArray<std::uint32_t> arrivals_, sums_;
  DeviceArray<std::uint32_t> blocks_[2];
  probes::StreamJob job_;
  std::uint32_t launches_ = 0;
};

/// Once, though every experiment may have it to say.
void add_note(const std::string& line, std::vector<std::string>& notes) {
  if (std::find(notes.begin(), notes.end(), line) == notes.end()) notes.push_back(line);
}

void measure_stream(StreamOperation operation, const DataChoice& data, std::size_t footprint,
                    const Memory& memory, Collector& collector, Footprints& measured) {
  const std::string name = fmt::format("{}, {}, {}", operation_name(operation), data.name,
                                       bytes_text(static_cast<double>(footprint)));
  const Shares dealt = shares(data, arrays_of(operation), footprint);
  // Where not every multiprocessor was met, the others have more than largest_footprint() assumes.
  const auto of_table = dealt.share * static_cast<std::uint32_t>(arrays_of(operation));
  if (!dealt.fits || of_table > in_cuda<probes::largest_stream_share>()) {
    add_note(name + " left out: more than its blocks hold", collector.result.notes);
    return;
  }
  Stream stream(operation, data, dealt, memory);
  collector.measure(name,
                    {{"operation", operation_name(operation)},
                     {"data", data.name},
                     {"footprint_bytes", footprint}},
                    "GB/s", [&] { return stream.gbs(); });
  stream.check(name);
  measured[name] = dealt.footprint_bytes;
}

void describe_topology(const L2Halves& halves, ProbeResult& result) {
  result.derived["topology"] = {{"halves_told_apart", halves.clear},
                                {"multiprocessors", halves.count(0) + halves.count(1)}};
  if (halves.clear)
    for (const int half : {0, 1})
      result.derived["topology"][fmt::format("near_half_{}", half)] = halves.count(half);
  else
    result.notes.emplace_back(not_told_apart);
  for (std::size_t n = 0; n < halves.half_of.size(); ++n)
    if (halves.half_of[n] >= 0)
      add_row(result.tables["multiprocessors"], {{"identifier", n}, {"half", halves.half_of[n]}});
}

/// All data, and by halves where multiprocessors and blocks show them.
std::vector<DataChoice> choices(const Topology& topology, const Memory& memory,
                                std::vector<std::string>& notes) {
  std::vector<DataChoice> all{all_data(topology.halves(), memory.blocks())};
  if (!topology.halves().clear) return all;
  const std::vector<int> half_of_block = topology.blocks();
  const auto unclear = std::count(half_of_block.begin(), half_of_block.end(), -1);
  if (unclear > static_cast<std::ptrdiff_t>(half_of_block.size() / 10)) {
    add_note(fmt::format("{} of {} blocks of {} bytes do not lie in one half alone: near and "
                         "far are left out",
                         unclear, half_of_block.size(), block_bytes),
             notes);
    return all;
  }
  for (const bool far : {false, true})
    all.push_back(data_by_half(topology.halves(), half_of_block, far));
  return all;
}

/// Half more than the largest footprint: the halves need not be equal, and blocks may be left out.
std::size_t memory_for(std::size_t largest) {
  return std::max(largest + largest / 2, (l2_lines_bytes / block_bytes + 1) * block_bytes);
}

/// Eight times the L2, or --size as far as that is possible: a multiprocessor's share has to fit
/// into its table.
std::size_t largest_footprint(const Settings& settings, const GpuFacts& gpu,
                              std::vector<std::string>& notes) {
  const std::size_t most = std::size_t{in_cuda<probes::largest_stream_share>()} *
                           probes::stream_unit_bytes *
                           static_cast<std::size_t>(gpu.multiprocessors);
  std::size_t largest = mib;
  while (largest < 8 * gpu.l2_bytes) largest *= 2;
  const std::size_t taken = std::clamp(settings.bytes.value_or(largest), mib, most);
  if (settings.bytes && taken != *settings.bytes)
    notes.push_back(fmt::format("footprints are of {} to {} bytes", mib, most));
  return taken;
}

/// On memory of its own.
void measure_experiment(std::size_t largest, Collector& collector, Footprints& measured) {
  const Memory memory(memory_for(largest));
  const Topology topology(memory);
  measure_accesses(topology, collector);
  const std::vector<DataChoice> data = choices(topology, memory, collector.result.notes);
  for (const StreamOperation operation : probes::all_stream_operations)
    for (const DataChoice& each : data)
      for (const std::size_t footprint : latency_probe::footprints(mib, largest, 2, 256 << 10))
        measure_stream(operation, each, footprint, memory, collector, measured);
}

ProbeResult run(const Settings& settings) {
  Collector collector(settings, usual);
  ProbeResult& result = collector.result;
  const GpuFacts gpu = gpu_facts();
  const std::size_t largest = largest_footprint(settings, gpu, result.notes);
  require_memory(MemorySpace::Device, memory_for(largest));
  describe_topology(Topology::halves(), result);
  Footprints measured;
  for (int n = settings.experiment_count(); n > 0; --n)
    measure_experiment(largest, collector, measured);
  derive(measured, gpu.l2_bytes, result);
  result.notes.emplace_back(
      "a footprint is that of all arrays of the operation, in equal shares for all "
      "multiprocessors; loads pass by L1");
  return result;
}

}  // namespace

extern const Probe probe{
    .name = "l2",
    .summary = "the halves of the L2, and streams over footprints up to beyond it",
    .source = "[gpu-benches], L2 cache and streams",
    .counted = "bytes read + written; cycles of an access by one thread",
    .options = {&size_option},
    .refused = refuse_without_cuda,
    .run = run};

}  // namespace memstencil::membench::l2_probe
