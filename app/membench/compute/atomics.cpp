// Probe atomics: updates a second and a clock of one address, of one a warp, and spread
// ([kepler-article]).
#include "app/membench/compute/atomics.hpp"

#include "app/membench/core/gpu.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace memstencil::membench::atomics_probe {

using probes::AtomicMemory;
using probes::AtomicOperation;
using probes::AtomicType;

namespace {

/// [ufrgs-thesis], 4.1: at least 20 iterations.
constexpr Sampling usual{.warmups = 1, .repeats = 20, .limit = 40};

/// All that a thread does to its word, the update before the timed ones included.
std::uint64_t after_thread(AtomicOperation operation, std::uint64_t word, unsigned thread,
                           unsigned updates, bool wide) {
  const auto operand = [&](unsigned update) {
    return wide ? probes::atomic_operand<std::uint64_t>(operation, thread, update)
                : probes::atomic_operand<std::uint32_t>(operation, thread, update);
  };
  switch (operation) {
    case AtomicOperation::Add:
    case AtomicOperation::AddReturning:
    case AtomicOperation::PlainAdd:
      return word + updates;
    case AtomicOperation::Exchange:
      return operand(updates - 1);
    // A thread that finds another number than its own comes too late: the number only grows.
    case AtomicOperation::CompareAndSwap:
      return updates;
    case AtomicOperation::Min:
      return std::min(word, operand(updates - 1));
    case AtomicOperation::Max:
      return std::max(word, operand(updates - 1));
    case AtomicOperation::And:
      return word & operand(0) & operand(1);
    case AtomicOperation::Or:
      return word | operand(0) | operand(1);
    case AtomicOperation::Xor:
      break;
  }
  return updates % 2 == 1 ? word ^ operand(0) : word;
}

/// The bits of a number as a word of the type has it.
std::uint64_t bits_of(std::uint64_t number, AtomicType type) {
  if (type == AtomicType::Float) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
  if (type == AtomicType::Double) return std::bit_cast<std::uint64_t>(static_cast<double>(number));
  return number;
}

std::string title(const AtomicsCase& c) { return c.update_name() + ", " + c.place_name(); }

/// The time of a launch: on the whole GPU, and by an SM's clock.
struct Taken {
  double seconds = 0;
  SmCycles cycles;
};

/// Launches of a case on all SMs, whose words have the type Word.
template <class Word>
class Launches {
public:
  explicit Launches(const AtomicsCase& c)
      : case_(c),
        expected_(expected_words(c, blocks_)),
        words_(expected_.size()),
        returned_(static_cast<std::size_t>(blocks_ * threads)),
        times_(static_cast<std::size_t>(blocks_ * warps)) {}

  /// All updates of a launch: those by the clock, and the one of each thread before.
  double all_updates() const { return blocks_ * (updates_of_sm() + threads); }
  /// By an SM's clock.
  double updates_of_sm() const { return static_cast<double>(threads) * case_.updates(); }
  double updates_of_gpu() const { return blocks_ * updates_of_sm(); }

  /// @throws Failure(Verification) where a word is not what the updates make it
  Taken run() {
    words_.set(std::vector<Word>(expected_.size(), static_cast<Word>(case_.initial())));
    const probes::AtomicsJob job{case_.operation, case_.type,       case_.memory, case_.shift(),
                                 case_.pitch(),   case_.updates(),  blocks_,      case_.initial(),
                                 words_.data(),   returned_.data(), times_.data()};
    const double seconds =
        in_cuda<probes::seconds_of>([&] { in_cuda<probes::start_atomics>(job); });
    verify_words();
    return {seconds, sm_cycles(times_.all(), warps)};
  }

private:
  static constexpr int threads = probes::atomics_block;
  static constexpr int warps = threads / 32;

  void verify_words() const {
    const std::vector<Word> words = words_.all();
    if (case_.last_one_wins())
      verify_all(title(case_) + ", threads of the last exchange", words, [&](std::size_t n) {
        return is_last_exchange(case_, n, words[n]) ? words[n] : static_cast<Word>(expected_[n]);
      });
    else
      verify_all(title(case_) + ", bits of words", words,
                 [&](std::size_t n) { return static_cast<Word>(expected_[n]); });
    if (!probes::returns_old(case_.operation)) return;
    const std::vector<Word> returned = returned_.all();
    std::vector<Word> sums(words.size(), 0);
    for (std::size_t t = 0; t < returned.size(); ++t)
      sums[case_.word_of(static_cast<unsigned>(t))] += returned[t];
    const std::vector<std::uint64_t> right =
        expected_returned(case_, blocks_, {words.begin(), words.end()});
    verify_all(title(case_) + ", sums of the old values of words", sums,
               [&](std::size_t n) { return static_cast<Word>(right[n]); });
  }

  AtomicsCase case_;
  int blocks_ = gpu_facts().multiprocessors;
  std::vector<std::uint64_t> expected_;
  DeviceArray<Word> words_, returned_;
  DeviceArray<probes::WarpTimes> times_;
};

/// Adds the measurement; gives the updates a clock: of the GPU in global
/// memory, of an SM in shared.
template <class Word>
double measure(const AtomicsCase& c, Collector& collector) {
  Launches<Word> launches(c);
  std::vector<double> per_clock;
  const Record parameters{{"operation", c.operation_name()},
                          {"bits", c.bits()},
                          {"memory", c.memory_name()},
                          {"addresses", c.addresses_name()}};
  collector.measure(title(c), parameters, "1/s", [&] {
    const Taken taken = launches.run();
    per_clock.push_back(c.global() ? launches.updates_of_gpu() / taken.cycles.longest
                                   : launches.updates_of_sm() / taken.cycles.median);
    return launches.all_updates() / taken.seconds;
  });
  return statistics(per_clock).median;
}

ProbeResult run(const Settings& settings) {
  Collector collector(settings, usual);
  for (int n = settings.experiment_count(); n > 0; --n)
    for (const AtomicsCase& c : atomics_cases())
      collector.result.tables["per clock, " + c.place_name()][c.update_name()].push_back(
          c.bits() == 32 ? measure<std::uint32_t>(c, collector)
                         : measure<std::uint64_t>(c, collector));
  collector.result.derived["per_clock"] = median_per_clock(collector.result.tables);
  collector.result.notes = {
      fmt::format("{} threads on each SM update, on all SMs at once; an update of a thread counts "
                  "as one",
                  probes::atomics_block),
      "returning add, exchange and compare and swap ask for the old value, which a thread adds up "
      "and the host verifies; the others do not (RED)",
      "compare and swap: update n of a thread puts n + 1 where n is, so of the threads of a word "
      "one swaps and the others come too late",
      "plain add: a load, an addition and a store, not atomic, so only where each thread has its "
      "own word",
      "per_clock and the tables (a row an experiment) have updates a clock: of the whole GPU in "
      "global memory, of one SM in shared memory",
      "shared memory has no 64-bit and no floating-point arithmetic: the assembler makes a loop of "
      "compare-and-swap (exchange and compare and swap have 64 bits)",
      "with one address, or one a warp, most 64-bit updates of shared memory by min, max, and, or "
      "change nothing: min and max then leave out the swap, and those of and, or never fail; add "
      "and xor tell what changes cost"};
  return collector.result;
}

}  // namespace

extern const Probe probe{.name = "atomics",
                         .summary = "atomic operations on one address, one a warp, and spread",
                         .source = "[kepler-article]",
                         .counted = "operations per second and per clock",
                         .refused = refuse_without_cuda,
                         .run = run};

std::string AtomicsCase::operation_name() const {
  constexpr std::array names{
      "add",      "min", "max", "and", "or", "xor", "returning add", "exchange", "compare and swap",
      "plain add"};
  static_assert(names.size() == probes::all_atomic_operations.size());
  return (floating() ? "fp " : "") + std::string(names.at(static_cast<std::size_t>(operation)));
}

std::string AtomicsCase::update_name() const {
  return fmt::format("{} {}-bit", operation_name(), bits());
}

std::size_t AtomicsCase::word_of(unsigned thread) const {
  constexpr auto block = static_cast<unsigned>(probes::atomics_block);
  const auto place = [&](unsigned t) {
    return static_cast<std::size_t>(t >> shift()) * static_cast<std::size_t>(pitch());
  };
  return global() ? place(thread) : thread / block * block + place(thread % block);
}

int AtomicsCase::pitch() const {
  constexpr int line_bits = 128 * 8;
  return global() && addresses == Addresses::OneAWarp ? line_bits / bits() : 1;
}

std::uint64_t AtomicsCase::initial() const {
  if (operation != AtomicOperation::Min && operation != AtomicOperation::And) return 0;
  return bits() == 32 ? std::numeric_limits<std::uint32_t>::max()
                      : std::numeric_limits<std::uint64_t>::max();
}

std::vector<AtomicsCase> atomics_cases() {
  std::vector<AtomicsCase> cases;
  for (const AtomicMemory memory : {AtomicMemory::Global, AtomicMemory::Shared})
    for (const Addresses addresses : all_addresses)
      for (const AtomicType type : probes::all_atomic_types)
        for (const AtomicOperation operation : probes::all_atomic_operations) {
          const AtomicsCase c{operation, type, memory, addresses};
          const bool there = !c.floating() || probes::adds(operation);
          const bool known =
              operation != AtomicOperation::PlainAdd || addresses == Addresses::Spread;
          if (there && known) cases.push_back(c);
        }
  return cases;
}

Record median_per_clock(const Record& tables) {
  Record rates = Record::object();
  for (const AtomicsCase& c : atomics_cases()) {
    const auto values = tables.at("per clock, " + c.place_name()).at(c.update_name());
    rates[c.update_name()][c.place_name()] = statistics(values.get<std::vector<double>>()).median;
  }
  return rates;
}

std::vector<std::uint64_t> expected_words(const AtomicsCase& c, int blocks) {
  const auto updates = static_cast<unsigned>(c.updates()) + 1;
  const auto threads = static_cast<unsigned>(blocks * probes::atomics_block);
  std::vector<std::uint64_t> words(c.global() ? c.word_of(threads - 1) + 1 : threads, c.initial());
  for (unsigned t = 0; t < threads; ++t) {
    std::uint64_t& word = words[c.word_of(t)];
    word = after_thread(c.operation, word, t, updates, c.bits() == 64);
  }
  for (std::uint64_t& word : words) word = bits_of(word, c.type);
  return words;
}

bool is_last_exchange(const AtomicsCase& c, std::size_t n, std::uint64_t value) {
  constexpr auto step = static_cast<std::uint64_t>(probes::exchange_step);
  return value % step == static_cast<std::uint64_t>(c.updates()) + 1 &&
         c.word_of(static_cast<unsigned>(value / step)) == n;
}

std::vector<std::uint64_t> expected_returned(const AtomicsCase& c, int blocks,
                                             const std::vector<std::uint64_t>& words) {
  const auto updates = static_cast<std::uint64_t>(c.updates()) + 1;
  const auto threads = static_cast<unsigned>(blocks * probes::atomics_block);
  std::vector<std::uint64_t> sharing(words.size(), 0), sums(words.size(), 0);
  for (unsigned t = 0; t < threads; ++t) {
    const std::size_t n = c.word_of(t);
    ++sharing[n];
    // The operands are step * t + 1, + 2, ...
    sums[n] += updates * t * static_cast<std::uint64_t>(probes::exchange_step) +
               updates * (updates + 1) / 2;
  }
  const std::uint64_t of_a_word = updates * *std::max_element(sharing.begin(), sharing.end());
  std::uint64_t counted = 0;  // 0, 1, 2, ... have stood in a word
  if (c.operation == AtomicOperation::AddReturning)
    for (std::uint64_t old = 0; old < of_a_word; ++old) counted += bits_of(old, c.type);
  for (std::size_t n = 0; n < words.size(); ++n) {
    if (sharing[n] == 0) continue;
    if (c.operation == AtomicOperation::Exchange)
      sums[n] += c.initial() - words[n];
    else
      sums[n] = c.operation == AtomicOperation::CompareAndSwap ? updates : counted;
  }
  return sums;
}

}  // namespace memstencil::membench::atomics_probe
