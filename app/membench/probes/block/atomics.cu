// Probe atomics: every thread updates one word in memory, again and again, and does not use its old
// value ([kepler-article]): one address, one a warp, and spread.
#include "app/membench/core/gpu.cuh"

#ifdef MEMSTENCIL_CUDA
#include "app/membench/probes/block/atomics_updates.cuh"

#include <limits>
#endif

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
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
      return atomics<static_cast<AtomicMemory>(decltype(n)::value / 6), of, T>;
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
