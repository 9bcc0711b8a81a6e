// Probe atomics: every thread updates one word in memory, again and again, and does not use its old
// value ([kepler-article]): one address, one a warp, and spread.
#include "app/membench/core/gpu.cuh"

#include <climits>
#include <limits>

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
/// Integers (unsigned) take all operations, floating-point numbers additions.
enum class AtomicOperation { Add, Min, Max, And, Or, Xor };

/// Threads of a block; one block runs on each SM.
constexpr int atomics_block = 1024;
/// Updates in the body of the timed loop.
constexpr int atomics_body = 16;

struct AtomicsWork {
  int one;  // 1, which the compiler must not know: it has an instruction of its own for adding 1
  int shift, pitch, iterations;
  std::uint64_t initial;
  void* words;
  Clocks clocks;
};

/// The operand of update number `update` (from 0) of a thread of the grid. With min and max each
/// update goes beyond the thread's last one; and and or take turns with two bits, because the
/// assembler leaves out an update that would change nothing.
template <class T>
__host__ __device__ T atomic_operand(AtomicOperation operation, unsigned thread, unsigned update) {
  using enum AtomicOperation;
  const T middle = T(0x40000000) + thread;
  if (operation == Add) return 1;
  if (operation == Min) return middle - update;
  if (operation == Max) return middle + update;
  const T bit = T(1) << ((thread + (operation == Xor ? 0 : update % 2)) % (CHAR_BIT * sizeof(T)));
  return operation == And ? ~bit : bit;
}

/// in(word, operand) for a word in global memory (64-bit address) or in shared memory (32-bit
/// address), in inline PTX: of CUDA's own functions the compiler makes one if several in a row
/// do the same (and, or), and a population count of an addition of 1.
template <AtomicOperation, class T>
struct Update;

#define MEMSTENCIL_UPDATE(OPERATION, TYPE, INSTRUCTION, CONSTRAINT)                \
  template <>                                                                      \
  struct Update<AtomicOperation::OPERATION, TYPE> {                                \
    static __device__ __forceinline__ void in(std::uint64_t word, TYPE operand) {  \
      asm volatile("red.relaxed.gpu.global." INSTRUCTION " [%0], %1;" ::"l"(word), \
                   CONSTRAINT(operand)                                             \
                   : "memory");                                                    \
    }                                                                              \
    static __device__ __forceinline__ void in(std::uint32_t word, TYPE operand) {  \
      asm volatile("red.relaxed.cta.shared." INSTRUCTION " [%0], %1;" ::"r"(word), \
                   CONSTRAINT(operand)                                             \
                   : "memory");                                                    \
    }                                                                              \
  };

MEMSTENCIL_UPDATE(Add, std::uint32_t, "add.u32", "r")
MEMSTENCIL_UPDATE(Min, std::uint32_t, "min.u32", "r")
MEMSTENCIL_UPDATE(Max, std::uint32_t, "max.u32", "r")
MEMSTENCIL_UPDATE(And, std::uint32_t, "and.b32", "r")
MEMSTENCIL_UPDATE(Or, std::uint32_t, "or.b32", "r")
MEMSTENCIL_UPDATE(Xor, std::uint32_t, "xor.b32", "r")
MEMSTENCIL_UPDATE(Add, std::uint64_t, "add.u64", "l")
MEMSTENCIL_UPDATE(Min, std::uint64_t, "min.u64", "l")
MEMSTENCIL_UPDATE(Max, std::uint64_t, "max.u64", "l")
MEMSTENCIL_UPDATE(And, std::uint64_t, "and.b64", "l")
MEMSTENCIL_UPDATE(Or, std::uint64_t, "or.b64", "l")
MEMSTENCIL_UPDATE(Xor, std::uint64_t, "xor.b64", "l")
MEMSTENCIL_UPDATE(Add, float, "add.f32", "f")
MEMSTENCIL_UPDATE(Add, double, "add.f64", "d")
#undef MEMSTENCIL_UPDATE

/// The operands of a thread's updates, one after the other, as atomic_operand() gives them.
template <AtomicOperation Operation, class T>
struct Operands {
  T now, then;
  __device__ __forceinline__ Operands(unsigned thread, int one)
      : now(static_cast<T>(one)), then(now) {
    if constexpr (Operation != AtomicOperation::Add) {
      now = atomic_operand<T>(Operation, thread, 0);
      then = atomic_operand<T>(Operation, thread, 1);
    }
  }
  __device__ __forceinline__ T next() {
    const T operand = now;
    if constexpr (Operation == AtomicOperation::Min) --now;
    if constexpr (Operation == AtomicOperation::Max) ++now;
    if constexpr (Operation == AtomicOperation::And || Operation == AtomicOperation::Or) {
      now = then;
      then = operand;
    }
    return operand;
  }
};

/// A thread's updates, one before the clock starts (so that word and code are where they will be).
template <AtomicOperation Operation, class T, class Address>
__device__ __forceinline__ void time_updates(Address word, Operands<Operation, T> operands,
                                             const AtomicsWork& work) {
  Update<Operation, T>::in(word, operands.next());
  __syncthreads();

  const std::int64_t begin = sm_clock();
#pragma unroll 1
  for (int n = 0; n < work.iterations; ++n) {
#pragma unroll
    for (int k = 0; k < atomics_body; ++k) Update<Operation, T>::in(word, operands.next());
  }
  __threadfence();  // an update is sent off and not waited for
  leave_times(work.clocks, {begin, sm_clock()});
}

template <bool Global, AtomicOperation Operation, class T>
__global__ void __launch_bounds__(atomics_block, 1)
    atomics(const __grid_constant__ AtomicsWork work) {
  const unsigned thread = blockIdx.x * atomics_block + threadIdx.x;
  const Operands<Operation, T> operands(thread, work.one);
  T* const words = static_cast<T*>(work.words);
  const auto place = [&](unsigned t) {
    return (t >> work.shift) * static_cast<unsigned>(work.pitch);
  };
  if constexpr (Global) {
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

/// All that a thread does to its word in `updates` updates.
template <class T>
T after_thread(AtomicOperation operation, T word, unsigned thread, unsigned updates) {
  if constexpr (std::is_integral_v<T>) {
    const T first = atomic_operand<T>(operation, thread, 0);
    const T second = atomic_operand<T>(operation, thread, 1);
    const T last = atomic_operand<T>(operation, thread, updates - 1);
    using enum AtomicOperation;
    if (operation == Min) return std::min(word, last);
    if (operation == Max) return std::max(word, last);
    if (operation == And) return word & first & second;
    if (operation == Or) return word | first | second;
    if (operation == Xor) return updates % 2 == 1 ? word ^ first : word;
  }
  return word + static_cast<T>(updates);
}

/// How threads share words, in the order of the axis.
struct Addresses {
  int shift;    ///< threads whose numbers differ in the lowest `shift` bits alone share a word
  int updates;  ///< timed, of each thread: the slower, the fewer
};
constexpr Addresses all_addresses[]{{31, 64}, {5, 512}, {0, 4096}};

/// Updates a second (all of a launch, the one of each thread before the clock included) and a
/// clock (of the GPU in global memory, of a multiprocessor in shared).
template <class T>
void measure_updates(State& state) {
  const auto operation = static_cast<AtomicOperation>(state.index("operation"));
  const bool global = state.is("where", "global");
  if (std::is_floating_point_v<T> && operation != AtomicOperation::Add) state.leave_out();
  using Kernel = void (*)(AtomicsWork);
  const auto kernel = pick<12>(state.index("operation") + (global ? 0 : 6), [](auto n) -> Kernel {
    constexpr auto of = static_cast<AtomicOperation>(decltype(n)::value % 6);
    if constexpr (std::is_integral_v<T> || of == AtomicOperation::Add)
      return atomics<decltype(n)::value / 6 == 0, of, T>;
    else
      return nullptr;
  });
  const Addresses addresses = all_addresses[state.index("addresses")];
  const int blocks = multiprocessors(), line = static_cast<int>(128 / sizeof(T));
  const int pitch = global && addresses.shift == 5 ? line : 1;
  const auto threads = static_cast<unsigned>(blocks * atomics_block);
  const auto updates = static_cast<unsigned>(addresses.updates) + 1;  // of a thread
  // In global memory, or in the shared memory of all blocks, one block's after the other's.
  const auto word_of = [&](unsigned thread) {
    const unsigned first = global ? 0 : thread / atomics_block * atomics_block;
    return first + std::size_t{(thread - first) >> addresses.shift} * pitch;
  };
  const bool from_ones = operation == AtomicOperation::Min || operation == AtomicOperation::And;
  const T initial = from_ones ? std::numeric_limits<T>::max() : T(0);
  const std::vector<T> before(global ? word_of(threads - 1) + 1 : threads, initial);
  std::vector<T> after = before;
  for (unsigned t = 0; t < threads; ++t)
    after[word_of(t)] = after_thread(operation, after[word_of(t)], t, updates);
  DeviceArray<T> words(before.size());
  constexpr int warps = atomics_block / 32;
  ClockedWarps clocked(blocks * warps);
  const double of_sm = static_cast<double>(atomics_block) * addresses.updates;
  state.sample({"per_second", "per_clock", "multiprocessors_left_out"}, [&] {
    words.set(before);
    const AtomicsWork work{1,
                           addresses.shift,
                           pitch,
                           addresses.updates / atomics_body,
                           static_cast<std::uint64_t>(initial),
                           words.data(),
                           clocked.clocks()};
    const double seconds = seconds_of([&] { launch(kernel, {blocks, atomics_block}, work); });
    verify_all(state.title(), words.all(), [&](std::size_t n) { return after[n]; });
    const SmCycles cycles = clocked.cycles(warps);
    return std::vector{threads * static_cast<double>(updates) / seconds,
                       global ? blocks * of_sm / cycles.longest : of_sm / cycles.median,
                       cycles.left_out};
  });
}

void measure_atomics(State& state) {
  constexpr decltype(&measure_updates<float>) of_types[]{
      measure_updates<std::uint32_t>, measure_updates<std::uint64_t>, measure_updates<float>,
      measure_updates<double>};
  of_types[state.index("type")](state);
}
#endif

}  // namespace

extern const Probe atomics_probe{
    .name = "atomics",
    .summary = "atomic operations on one address, one a warp, and spread",
    .source = "[kepler-article]",
    .counted = "operations per second and per clock",
    .axes = always({names("where", {"global", "shared"}),
                    names("addresses", {"one", "one a warp", "spread"}),
                    names("type", {"int32", "int64", "fp32", "fp64"}),
                    names("operation", {"add", "min", "max", "and", "or", "xor"})}),
    .start = MEMSTENCIL_WITH_CUDA(each_point<measure_atomics>),
    .notes = {
        "1024 threads on each multiprocessor update, on all at once; an update of a thread counts "
        "as one; per_clock: of the whole GPU in global memory, of one multiprocessor in shared",
        "shared memory has no 64-bit and no floating-point arithmetic: the assembler makes a loop "
        "of compare-and-swap. On words that threads share most such updates by min, max, and, or "
        "change nothing and so are cheap; add and xor tell what changes cost"}};

}  // namespace memstencil::membench
