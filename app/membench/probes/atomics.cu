// Probe atomics: every thread updates one word in memory, again and again, with or without asking
// what was there ([kepler-article]): one address, one a warp, and spread.
#include "app/membench/core/gpu.cuh"

#ifdef MEMSTENCIL_CUDA
#include "app/membench/probes/atomic_updates.cuh"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>
#include <type_traits>
#endif

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
struct AtomicsWork {
  int one;  // 1, which the compiler must not know: it has an instruction of its own for adding 1
  int shift, pitch, iterations;
  std::uint64_t initial;
  void* words;
  void* returned;
  Clocks clocks;
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
  leave_times(work.clocks, {begin, sm_clock()});
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

/// Null for what floating-point numbers have not.
Kernel kernel_of(AtomicMemory memory, AtomicOperation operation, int type) {
  constexpr int operations = 10, types = 4;
  const int number = (static_cast<int>(memory) * operations + static_cast<int>(operation)) * types;
  return pick<2 * operations * types>(number + type, [](auto constant) -> Kernel {
    constexpr int n = decltype(constant)::value;
    constexpr auto of = static_cast<AtomicOperation>(n / types % operations);
    using T =
        std::tuple_element_t<n % types, std::tuple<std::uint32_t, std::uint64_t, float, double>>;
    if constexpr (std::is_floating_point_v<T> && !adds(of))
      return nullptr;
    else
      return atomics<static_cast<AtomicMemory>(n / types / operations), of, T>;
  });
}

/// How threads share words. One: all threads update one word (of the GPU in global memory, of the
/// SM in shared). One a warp: in global memory a 128-byte line for each. Spread: a word for each
/// thread, side by side.
struct Addresses {
  int shift;    ///< threads whose numbers differ in the lowest so many bits share a word
  int updates;  ///< timed, of each thread: the slower, the fewer
};
constexpr Addresses all_addresses[]{{31, 64}, {5, 512}, {0, 4096}};

struct AtomicsCase {
  explicit AtomicsCase(State& state)
      : operation(static_cast<AtomicOperation>(state.index("operation"))),
        type(state.index("type")),
        memory(static_cast<AtomicMemory>(state.index("where"))),
        addresses(all_addresses[state.index("addresses")]) {}

  AtomicOperation operation;
  int type;  ///< int32, int64, fp32, fp64
  AtomicMemory memory;
  Addresses addresses;
  int blocks = multiprocessors();

  bool global() const { return memory == AtomicMemory::Global; }
  int bits() const { return type % 2 == 0 ? 32 : 64; }
  unsigned threads() const { return static_cast<unsigned>(blocks * atomics_block); }
  /// Of a thread, the one before the clock included.
  unsigned updates() const { return static_cast<unsigned>(addresses.updates) + 1; }
  /// A thread's word is (thread >> shift) * pitch.
  int pitch() const { return global() && addresses.shift == 5 ? 128 * 8 / bits() : 1; }
  /// The place among the words of a thread of the grid: in global memory, or in the shared memory
  /// of all blocks, one block's after the other's.
  std::size_t word_of(unsigned thread) const {
    constexpr auto block = static_cast<unsigned>(atomics_block);
    const unsigned first = global() ? 0 : thread / block * block;
    return first + std::size_t{(thread - first) >> addresses.shift} * pitch();
  }
  std::size_t words() const { return global() ? word_of(threads() - 1) + 1 : threads(); }
  /// The value of each word before the launch.
  std::uint64_t initial() const {
    if (operation != AtomicOperation::Min && operation != AtomicOperation::And) return 0;
    return bits() == 32 ? std::numeric_limits<std::uint32_t>::max()
                        : std::numeric_limits<std::uint64_t>::max();
  }
  /// The bits of a number as a word of the type has it.
  std::uint64_t bits_of(std::uint64_t number) const {
    if (type == 2) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    if (type == 3) return std::bit_cast<std::uint64_t>(static_cast<double>(number));
    return number;
  }
};

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

std::vector<std::uint64_t> expected_words(const AtomicsCase& c) {
  std::vector<std::uint64_t> words(c.words(), c.initial());
  for (unsigned t = 0; t < c.threads(); ++t) {
    std::uint64_t& word = words[c.word_of(t)];
    word = after_thread(c.operation, word, t, c.updates(), c.bits() == 64);
  }
  for (std::uint64_t& word : words) word = c.bits_of(word);
  return words;
}

/// Nobody knows which of several threads exchanges last: any that has this word may.
bool is_last_exchange(const AtomicsCase& c, std::size_t n, std::uint64_t value) {
  constexpr auto step = static_cast<std::uint64_t>(exchange_step);
  return value % step == c.updates() && c.word_of(static_cast<unsigned>(value / step)) == n;
}

/// The sums of the old values that the threads of each word got.
std::vector<std::uint64_t> expected_returned(const AtomicsCase& c,
                                             const std::vector<std::uint64_t>& words) {
  const std::uint64_t updates = c.updates();
  std::vector<std::uint64_t> sharing(words.size(), 0), sums(words.size(), 0);
  for (unsigned t = 0; t < c.threads(); ++t) {
    const std::size_t n = c.word_of(t);
    ++sharing[n];
    // The operands are step * t + 1, + 2, ...
    sums[n] +=
        updates * t * static_cast<std::uint64_t>(exchange_step) + updates * (updates + 1) / 2;
  }
  const std::uint64_t of_a_word = updates * *std::max_element(sharing.begin(), sharing.end());
  std::uint64_t counted = 0;  // 0, 1, 2, ... have stood in a word
  if (c.operation == AtomicOperation::AddReturning)
    for (std::uint64_t old = 0; old < of_a_word; ++old) counted += c.bits_of(old);
  for (std::size_t n = 0; n < words.size(); ++n) {
    if (sharing[n] == 0) continue;
    if (c.operation == AtomicOperation::Exchange)
      sums[n] += c.initial() - words[n];
    else
      sums[n] = c.operation == AtomicOperation::CompareAndSwap ? updates : counted;
  }
  return sums;
}

template <class Word>
void verify_update(const AtomicsCase& c, const std::string& title,
                   const std::vector<std::uint64_t>& expected, const std::vector<Word>& words,
                   const DeviceArray<Word>& returned) {
  const bool exchange = c.operation == AtomicOperation::Exchange;
  verify_all(title + ", words", words, [&](std::size_t n) {
    return exchange && is_last_exchange(c, n, words[n]) ? words[n] : static_cast<Word>(expected[n]);
  });
  if (!returns_old(c.operation)) return;
  std::vector<Word> sums(words.size(), 0);
  unsigned thread = 0;
  for (const Word of_thread : returned.all()) sums[c.word_of(thread++)] += of_thread;
  const auto right = expected_returned(c, {words.begin(), words.end()});
  verify_all(title + ", sums of the old values of words", sums,
             [&](std::size_t n) { return right[n]; });
}

/// Updates a second (all of a launch, the one of each thread before the clock included) and a
/// clock (of the GPU in global memory, of a multiprocessor in shared).
template <class Word>
void measure(State& state, const AtomicsCase& c, Kernel kernel) {
  constexpr int warps = atomics_block / 32;
  const std::vector<std::uint64_t> expected = expected_words(c);
  const std::vector<Word> initial(expected.size(), static_cast<Word>(c.initial()));
  DeviceArray<Word> words(expected.size()), returned(c.threads());
  ClockedWarps clocked(c.blocks * warps);
  const double of_sm = static_cast<double>(atomics_block) * c.addresses.updates;
  state.sample({"per_second", "per_clock"}, [&] {
    words.set(initial);
    const AtomicsWork work{
        1,           c.addresses.shift, c.pitch(),       c.addresses.updates / atomics_body,
        c.initial(), words.data(),      returned.data(), clocked.clocks()};
    const double seconds = seconds_of([&] {
      launch(kernel, {static_cast<unsigned>(c.blocks), atomics_block}, work);
    });
    verify_update(c, state.title(), expected, words.all(), returned);
    const SmCycles cycles = clocked.cycles(warps);
    return std::vector<double>{
        c.threads() * static_cast<double>(c.updates()) / seconds,
        c.global() ? c.blocks * of_sm / cycles.longest : of_sm / cycles.median};
  });
}

Point start(const Setup&) {
  return [](State& state) {
    const AtomicsCase c(state);
    const Kernel kernel = kernel_of(c.memory, c.operation, c.type);
    if (kernel == nullptr) state.leave_out();
    // Of a word that threads share plain additions lose some.
    if (c.operation == AtomicOperation::PlainAdd && c.addresses.shift > 0) state.leave_out();
    c.bits() == 32 ? measure<std::uint32_t>(state, c, kernel)
                   : measure<std::uint64_t>(state, c, kernel);
  };
}
#endif

std::vector<Axis> axes(bool) {
  return {names("where", {"global", "shared"}), names("addresses", {"one", "one a warp", "spread"}),
          names("type", {"int32", "int64", "fp32", "fp64"}),
          names("operation", {"add", "min", "max", "and", "or", "xor", "returning add", "exchange",
                              "compare and swap", "plain add"})};
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
