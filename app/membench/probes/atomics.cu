// Probe atomics: every thread updates one word in memory, again and again, with or without asking
// what was there ([kepler-article]): one address, one a warp, and spread.
#include "app/membench/core/probe.hpp"

#ifdef MEMSTENCIL_CUDA
#include "app/membench/core/gpu.cuh"
#include "app/membench/probes/atomic_updates.cuh"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

namespace memstencil::membench {

namespace {

struct AtomicsWork {
  int one;  // 1, which the compiler must not know: it has an instruction of its own for adding 1
  int shift, pitch, iterations;
  std::uint64_t initial;
  void* words;
  void* returned;
  WarpTimes* times;
};

/// A word's bits.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

__device__ __forceinline__ std::uint32_t bits(std::uint32_t value) { return value; }
__device__ __forceinline__ std::uint64_t bits(std::uint64_t value) { return value; }
__device__ __forceinline__ std::uint32_t bits(float value) { return __float_as_uint(value); }
__device__ __forceinline__ std::uint64_t bits(double value) {
  return static_cast<std::uint64_t>(__double_as_longlong(value));
}

/// The operands of a thread's updates, one after the other: those of atomic_operand().
template <AtomicOperation Operation, class T>
struct Operands {
  T now, then;
  __device__ __forceinline__ Operands(unsigned thread, int one)
      : now(static_cast<T>(one)), then(now) {
    if constexpr (!adds(Operation)) {
      now = atomic_operand<T>(Operation, thread, 0);
      then = atomic_operand<T>(Operation, thread, 1);
    }
  }
  __device__ __forceinline__ T next() {
    const T operand = now;
    if constexpr (Operation == AtomicOperation::Min) --now;
    if constexpr (Operation == AtomicOperation::Max || Operation == AtomicOperation::Exchange ||
                  Operation == AtomicOperation::CompareAndSwap)
      ++now;
    if constexpr (Operation == AtomicOperation::And || Operation == AtomicOperation::Or) {
      now = then;
      then = operand;
    }
    return operand;
  }
};

/// One update, whose old value is added to `returned`.
template <AtomicOperation Operation, class T, class Address>
__device__ __forceinline__ void update(Address word, Operands<Operation, T>& operands,
                                       Bits<T>& returned) {
  const T operand = operands.next();
  if constexpr (Operation == AtomicOperation::CompareAndSwap)
    returned += Update<Operation, T>::in(word, operand) == operand ? 1 : 0;
  else if constexpr (returns_old(Operation))
    returned += bits(Update<Operation, T>::in(word, operand));
  else
    Update<Operation, T>::in(word, operand);
}

/// A thread's updates, one before the clock starts (so that word and code are where they will be).
template <AtomicOperation Operation, class T, class Address>
__device__ __forceinline__ void time_updates(Address word, Operands<Operation, T> operands,
                                             const AtomicsWork& work) {
  Bits<T> returned = 0;
  update<Operation, T>(word, operands, returned);
  __syncthreads();

  const std::int64_t begin = sm_clock();
#pragma unroll 1
  for (int n = 0; n < work.iterations; ++n) {
#pragma unroll
    for (int k = 0; k < atomics_body; ++k) update<Operation, T>(word, operands, returned);
  }
  __threadfence();  // an update is sent off and not waited for
  leave_times(work.times, {begin, sm_clock()});
  if constexpr (returns_old(Operation))
    static_cast<Bits<T>*>(work.returned)[blockIdx.x * atomics_block + threadIdx.x] = returned;
}

template <AtomicMemory Memory, AtomicOperation Operation, class T>
__global__ void __launch_bounds__(atomics_block, 1)
    atomics(const __grid_constant__ AtomicsWork work) {
  const unsigned thread = blockIdx.x * atomics_block + threadIdx.x;
  const Operands<Operation, T> operands(thread, work.one);
  T* const words = static_cast<T*>(work.words);
  const auto place = [&](unsigned t) {
    return (t >> work.shift) * static_cast<unsigned>(work.pitch);
  };
  if constexpr (Memory == AtomicMemory::Global) {
    time_updates(reinterpret_cast<std::uint64_t>(words + place(thread)), operands, work);
  } else {
    __shared__ T own[atomics_block];
    own[threadIdx.x] = static_cast<T>(work.initial);
    __syncthreads();
    const auto word =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(own + place(threadIdx.x)));
    time_updates(word, operands, work);
    __syncthreads();
    words[thread] = own[threadIdx.x];
  }
}

using Kernel = void (*)(AtomicsWork);

template <AtomicMemory Memory, class T, std::size_t... N>
Kernel kernel_of(AtomicOperation operation, std::index_sequence<N...>) {
  Kernel found = nullptr;
  ((all_atomic_operations[N] == operation
        ? void(found = atomics<Memory, all_atomic_operations[N], T>)
        : void()),
   ...);
  return found;
}

template <AtomicMemory Memory, class T>
Kernel kernel_of_adding(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::Add:
      return atomics<Memory, AtomicOperation::Add, T>;
    case AtomicOperation::AddReturning:
      return atomics<Memory, AtomicOperation::AddReturning, T>;
    case AtomicOperation::PlainAdd:
      return atomics<Memory, AtomicOperation::PlainAdd, T>;
    default:
      throw std::logic_error("probe atomics: floating-point numbers are only added");
  }
}

template <AtomicMemory Memory>
Kernel kernel_of(AtomicOperation operation, AtomicType type) {
  constexpr auto operations = std::make_index_sequence<all_atomic_operations.size()>{};
  if (type == AtomicType::Int32) return kernel_of<Memory, std::uint32_t>(operation, operations);
  if (type == AtomicType::Int64) return kernel_of<Memory, std::uint64_t>(operation, operations);
  if (type == AtomicType::Float) return kernel_of_adding<Memory, float>(operation);
  return kernel_of_adding<Memory, double>(operation);
}

enum class Addresses { One, OneAWarp, Spread };

struct AddressesFacts {
  const char* name;
  int shift;    ///< threads whose numbers differ in the lowest so many bits share a word
  int updates;  ///< timed, of each thread: the slower, the fewer
};
/// In the order of enum Addresses.
constexpr std::array<AddressesFacts, 3> addresses_facts{
    {{"one", 31, 64}, {"one a warp", 5, 512}, {"spread", 0, 4096}}};

/// One: all threads update one word (of the GPU in global memory, of the SM in shared).
/// OneAWarp: a word for each warp, in global memory a 128-byte line for each. Spread: a word
/// for each thread, side by side.
struct AtomicsCase {
  AtomicOperation operation = AtomicOperation::Add;
  AtomicType type = AtomicType::Int32;
  AtomicMemory memory = AtomicMemory::Global;
  Addresses addresses = Addresses::One;

  bool floating() const { return type == AtomicType::Float || type == AtomicType::Double; }
  int bits() const { return type == AtomicType::Int32 || type == AtomicType::Float ? 32 : 64; }
  bool global() const { return memory == AtomicMemory::Global; }
  const AddressesFacts& facts() const {
    return addresses_facts[static_cast<std::size_t>(addresses)];
  }

  /// A thread's word is (thread >> shift) * pitch.
  int shift() const { return facts().shift; }
  int pitch() const;
  int updates() const { return facts().updates; }
  /// The place among the words of a thread of the grid: in global memory, or in the shared memory
  /// of all blocks, one block's after the other's.
  std::size_t word_of(unsigned thread) const;
  /// Nobody knows which of several threads exchanges last.
  bool last_one_wins() const { return operation == AtomicOperation::Exchange; }
  /// The value of each word before the launch.
  std::uint64_t initial() const;
};

std::size_t AtomicsCase::word_of(unsigned thread) const {
  constexpr auto block = static_cast<unsigned>(atomics_block);
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

/// All that a thread does to its word, the update before the timed ones included.
std::uint64_t after_thread(AtomicOperation operation, std::uint64_t word, unsigned thread,
                           unsigned updates, bool wide) {
  const auto operand = [&](unsigned update) {
    return wide ? atomic_operand<std::uint64_t>(operation, thread, update)
                : atomic_operand<std::uint32_t>(operation, thread, update);
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

std::vector<std::uint64_t> expected_words(const AtomicsCase& c, int blocks) {
  const auto updates = static_cast<unsigned>(c.updates()) + 1;
  const auto threads = static_cast<unsigned>(blocks * atomics_block);
  std::vector<std::uint64_t> words(c.global() ? c.word_of(threads - 1) + 1 : threads, c.initial());
  for (unsigned t = 0; t < threads; ++t) {
    std::uint64_t& word = words[c.word_of(t)];
    word = after_thread(c.operation, word, t, updates, c.bits() == 64);
  }
  for (std::uint64_t& word : words) word = bits_of(word, c.type);
  return words;
}

bool is_last_exchange(const AtomicsCase& c, std::size_t n, std::uint64_t value) {
  constexpr auto step = static_cast<std::uint64_t>(exchange_step);
  return value % step == static_cast<std::uint64_t>(c.updates()) + 1 &&
         c.word_of(static_cast<unsigned>(value / step)) == n;
}

std::vector<std::uint64_t> expected_returned(const AtomicsCase& c, int blocks,
                                             const std::vector<std::uint64_t>& words) {
  const auto updates = static_cast<std::uint64_t>(c.updates()) + 1;
  const auto threads = static_cast<unsigned>(blocks * atomics_block);
  std::vector<std::uint64_t> sharing(words.size(), 0), sums(words.size(), 0);
  for (unsigned t = 0; t < threads; ++t) {
    const std::size_t n = c.word_of(t);
    ++sharing[n];
    // The operands are step * t + 1, + 2, ...
    sums[n] +=
        updates * t * static_cast<std::uint64_t>(exchange_step) + updates * (updates + 1) / 2;
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

/// Launches of a case on all multiprocessors, whose words have the type Word.
template <class Word>
class Launches {
public:
  Launches(const AtomicsCase& c, std::string title)
      : case_(c),
        title_(std::move(title)),
        expected_(expected_words(c, blocks_)),
        words_(expected_.size()),
        returned_(static_cast<std::size_t>(blocks_ * atomics_block)),
        times_(static_cast<std::size_t>(blocks_ * warps)) {}

  /// Updates a second (all of a launch, the one of each thread before the clock included) and a
  /// clock (of the GPU in global memory, of a multiprocessor in shared).
  std::vector<double> run() {
    words_.set(std::vector<Word>(expected_.size(), static_cast<Word>(case_.initial())));
    const AtomicsWork work{1,
                           case_.shift(),
                           case_.pitch(),
                           case_.updates() / atomics_body,
                           case_.initial(),
                           words_.data(),
                           returned_.data(),
                           times_.data()};
    const Kernel kernel = case_.global()
                              ? kernel_of<AtomicMemory::Global>(case_.operation, case_.type)
                              : kernel_of<AtomicMemory::Shared>(case_.operation, case_.type);
    const double seconds = seconds_of([&] { kernel<<<blocks_, atomics_block>>>(work); });
    verify_words();
    const SmCycles cycles = sm_cycles(times_.all(), warps);
    const double of_sm = static_cast<double>(atomics_block) * case_.updates();
    return {blocks_ * (of_sm + atomics_block) / seconds,
            case_.global() ? blocks_ * of_sm / cycles.longest : of_sm / cycles.median};
  }

private:
  static constexpr int warps = atomics_block / 32;

  void verify_words() const {
    const std::vector<Word> words = words_.all();
    verify_all(title_ + ", words", words, [&](std::size_t n) {
      return case_.last_one_wins() && is_last_exchange(case_, n, words[n])
                 ? words[n]
                 : static_cast<Word>(expected_[n]);
    });
    if (!returns_old(case_.operation)) return;
    const std::vector<Word> returned = returned_.all();
    std::vector<Word> sums(words.size(), 0);
    for (std::size_t t = 0; t < returned.size(); ++t)
      sums[case_.word_of(static_cast<unsigned>(t))] += returned[t];
    const std::vector<std::uint64_t> right =
        expected_returned(case_, blocks_, {words.begin(), words.end()});
    verify_all(title_ + ", sums of the old values of words", sums,
               [&](std::size_t n) { return static_cast<Word>(right[n]); });
  }

  AtomicsCase case_;
  std::string title_;
  int blocks_ = multiprocessors();
  std::vector<std::uint64_t> expected_;
  DeviceArray<Word> words_, returned_;
  DeviceArray<WarpTimes> times_;
};

/// @throws LeftOut for what no type or address has
AtomicsCase case_of(State& state) {
  const auto number = [](const std::string& name, const std::vector<std::string>& all) {
    return static_cast<int>(std::find(all.begin(), all.end(), name) - all.begin());
  };
  const int operation =
      number(state.text("operation"), {"add", "min", "max", "and", "or", "xor", "returning add",
                                       "exchange", "compare and swap", "plain add"});
  const AtomicsCase c{
      static_cast<AtomicOperation>(operation),
      static_cast<AtomicType>(number(state.text("type"), {"int32", "int64", "fp32", "fp64"})),
      state.is("where", "global") ? AtomicMemory::Global : AtomicMemory::Shared,
      static_cast<Addresses>(number(state.text("addresses"), {"one", "one a warp", "spread"}))};
  if (c.floating() && !adds(c.operation)) state.leave_out();
  // Of a word that threads share plain additions lose some.
  if (c.operation == AtomicOperation::PlainAdd && c.addresses != Addresses::Spread)
    state.leave_out();
  return c;
}

template <class Word>
void measure(const AtomicsCase& c, State& state) {
  Launches<Word> launches(c, state.title());
  state.sample({"per_second", "per_clock"}, [&] { return launches.run(); });
}

Point start(const Setup&) {
  return [](State& state) {
    const AtomicsCase c = case_of(state);
    c.bits() == 32 ? measure<std::uint32_t>(c, state) : measure<std::uint64_t>(c, state);
  };
}

}  // namespace

}  // namespace memstencil::membench
#endif

namespace memstencil::membench {

namespace {

std::vector<Axis> axes(bool) {
  return {{.name = "where", .unit = "", .values = names({"global", "shared"})},
          {.name = "addresses", .unit = "", .values = names({"one", "one a warp", "spread"})},
          {.name = "type", .unit = "", .values = names({"int32", "int64", "fp32", "fp64"})},
          {.name = "operation",
           .unit = "",
           .values = names({"add", "min", "max", "and", "or", "xor", "returning add", "exchange",
                            "compare and swap", "plain add"})}};
}

}  // namespace

extern const Probe atomics_probe{
    .name = "atomics",
    .summary = "atomic operations on one address, one a warp, and spread",
    .source = "[kepler-article]",
    .counted = "operations per second and per clock",
    .axes = axes,
    .start = MEMSTENCIL_WITH_CUDA(start),
    .notes = {
        "1024 threads on each multiprocessor update, on all at once; an update of a thread counts "
        "as one; per_clock: of the whole GPU in global memory, of one multiprocessor in shared",
        "returning add, exchange and compare and swap ask for the old value, which a thread adds "
        "up and the host verifies; the others do not (RED)",
        "compare and swap: update n of a thread puts n + 1 where n is, so of the threads of a "
        "word one swaps and the others come too late",
        "plain add: a load, an addition and a store, not atomic, so only where each thread has "
        "its own word",
        "shared memory has no 64-bit and no floating-point arithmetic: the assembler makes a loop "
        "of compare-and-swap (exchange and compare and swap have 64 bits)",
        "with one address, or one a warp, most 64-bit updates of shared memory by min, max, and, "
        "or change nothing: min and max then leave out the swap, and those of and, or never fail; "
        "add and xor tell what changes cost"}};

}  // namespace memstencil::membench
