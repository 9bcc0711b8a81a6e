// The atomics probe: updates a second and a clock of one address, of one a warp, and spread (article 004).
#include "kernels/probes/atomics.hpp"

#include "app/common/failure.hpp"
#include "app/common/statistics.hpp"
#include "app/membench/compute/atomics_cases.hpp"
#include "app/membench/core/collector.hpp"
#include "app/membench/core/device_array.hpp"
#include "app/membench/core/probes.hpp"
#include "app/membench/core/sm_cycles.hpp"
#include "kernels/probes/event_timer.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace memstencil::membench {

namespace {

constexpr Sampling usual{.warmups = 1, .repeats = 5, .limit = 15, .half_width = 0.05};

/// The words that the case's kernel works on, of its type.
template <class Word>
class Words {
public:
  Words(const AtomicsCase& c, int blocks)
      : case_(c), expected_(narrow(expected_words(c, blocks))), words_(expected_.size()) {}

  Word* data() const { return words_.data(); }
  void reset() { words_.set(std::vector<Word>(expected_.size(), static_cast<Word>(case_.initial()))); }
  /// @throws Failure(Verification) that names the first wrong word
  void verify(const std::string& title) const {
    const std::vector<Word> found = words_.all();
    for (std::size_t n = 0; n < found.size(); ++n)
      if (found[n] != expected_[n])
        throw Failure(ExitCode::Verification,
                      fmt::format("{}: word {} has the bits {:#x} where {:#x} are right", title, n, found[n],
                                  expected_[n]));
  }

private:
  static std::vector<Word> narrow(const std::vector<std::uint64_t>& words) {
    std::vector<Word> narrow;
    for (const std::uint64_t word : words) narrow.push_back(static_cast<Word>(word));
    return narrow;
  }

  AtomicsCase case_;
  std::vector<Word> expected_;
  DeviceArray<Word> words_;
};

std::string title(const AtomicsCase& c) {
  return fmt::format("{} {}-bit, {}, {}", c.operation_name(), c.bits(), c.memory_name(), c.addresses_name());
}

/// What a launch took: of the whole GPU, and of an SM's clock.
struct Taken {
  double seconds = 0;
  SmCycles cycles;
};

/// One launch after the other of a case on all SMs.
template <class Word>
class Launches {
public:
  explicit Launches(const AtomicsCase& c)
      : case_(c), words_(c, blocks_), times_(static_cast<std::size_t>(blocks_ * warps)) {}

  /// All updates of a launch: those by the clock, and the one of each thread before.
  double all_updates() const { return blocks_ * (updates_of_sm() + threads); }
  /// By an SM's clock.
  double updates_of_sm() const { return static_cast<double>(threads) * case_.updates(); }
  double updates_of_gpu() const { return blocks_ * updates_of_sm(); }

  /// @throws Failure(Verification) where a word is not what the updates make it
  Taken run() {
    words_.reset();
    probes::AtomicsJob job;
    job.operation = case_.operation;
    job.type = case_.type;
    job.memory = case_.memory;
    job.shift = case_.shift();
    job.pitch = case_.pitch();
    job.updates = case_.updates();
    job.blocks = blocks_;
    job.initial = case_.initial();
    job.words = words_.data();
    job.times = times_.data();
    const double seconds = probes::seconds_of([&] { probes::start_atomics(job); });
    words_.verify(title(case_));
    return {seconds, sm_cycles(times_.all(), warps)};
  }

private:
  static constexpr int threads = probes::atomics_block;
  static constexpr int warps = threads / 32;

  AtomicsCase case_;
  int blocks_ = gpu_facts().multiprocessors;
  Words<Word> words_;
  DeviceArray<probes::WarpTimes> times_;
};

/// Adds the measurement; gives the updates a clock: of the GPU in global memory, of an SM in shared.
template <class Word>
double measure(const AtomicsCase& c, const Settings& settings, Collector& collector) {
  settings.progress(title(c));
  Launches<Word> launches(c);
  std::vector<double> per_clock;
  const Samples per_second = sample(settings.sampling(usual, usual.repeats), [&] {
    const Taken taken = launches.run();
    per_clock.push_back(c.memory == probes::AtomicMemory::Global
                            ? launches.updates_of_gpu() / taken.cycles.longest
                            : launches.updates_of_sm() / taken.cycles.median);
    return launches.all_updates() / taken.seconds;
  });
  collector.add(title(c),
                {{"operation", c.operation_name()},
                 {"bits", c.bits()},
                 {"memory", c.memory_name()},
                 {"addresses", c.addresses_name()}},
                "1/s", per_second);
  return statistics(per_clock).median;
}

}  // namespace

ProbeResult run_atomics(const Settings& settings) {
  Collector collector;
  ProbeResult result;
  for (int n = settings.experiment_count(1, 1); n > 0; --n)
    for (const AtomicsCase& c : atomics_cases()) {
      const double per_clock = c.bits() == 32 ? measure<std::uint32_t>(c, settings, collector)
                                              : measure<std::uint64_t>(c, settings, collector);
      const std::string table = fmt::format("per clock, {}, {}", c.memory_name(), c.addresses_name());
      result.tables[table][fmt::format("{} {}-bit", c.operation_name(), c.bits())].push_back(per_clock);
    }
  result.measurements = collector.measurements();
  result.notes = {
      fmt::format(
          "{} threads on each SM update without asking for the old value (RED), on all SMs at once; an "
          "update of a thread counts as one",
          probes::atomics_block),
      "the tables (a row an experiment) have updates a clock: of the whole GPU in global memory, of one SM "
      "in shared memory",
      "shared memory has no 64-bit and no floating-point update: the assembler makes a loop of "
      "compare-and-swap",
      "with one address, or one a warp, most 64-bit updates of shared memory by min, max, and, or change "
      "nothing: min and max then leave out the swap, and those of and, or never fail; add and xor tell what "
      "changes cost"};
  return result;
}

}  // namespace memstencil::membench
