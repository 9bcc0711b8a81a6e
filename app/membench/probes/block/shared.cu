// Probe shared: loads from shared memory between two clock reads, instructions x warps x congestion
// ([hiroshima-shared-memory]). One kernel for each number of loads, so that the clocks enclose
// nothing else.
#include "app/membench/core/gpu.cuh"

#include <algorithm>
#include <numeric>

namespace memstencil::membench {

namespace {

/// Loads, warps and congestion each go from 1 to 32 ([hiroshima-shared-memory], table 3).
constexpr int shared_points = 32;

#ifdef MEMSTENCIL_CUDA
/// Lanes of a warp, columns of the table, banks of shared memory.
constexpr unsigned warp_lanes = 32;

struct SharedLoads {
  std::uint32_t* cycles;  ///< [congestion][warps][repeats], from 1 each
  std::uint32_t* wrong;   ///< counts the lanes that read a wrong word; set to 0 before
  int repeats;
};

using Word32 = std::uint32_t;
using Word64 = unsigned long long;

/// The clock register's low half ([hiroshima-shared-memory], list 2): a read of it takes one slot
/// where all 64 bits take two.
__device__ __forceinline__ std::uint32_t clock32() {
  std::uint32_t cycles = 0;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
  return cycles;
}

/// Barrier of the first `threads` threads: the warps that do not take part have gone.
__device__ __forceinline__ void barrier(unsigned threads) {
  asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
}

/// [hiroshima-shared-memory], list 4. `volatile` keeps all of the loads, though they read the same.
__device__ __forceinline__ void load(Word64& word, std::uint32_t address) {
  asm volatile("ld.volatile.shared.u64 %0, [%1];" : "=l"(word) : "r"(address) : "memory");
}
__device__ __forceinline__ void load(Word32& word, std::uint32_t address) {
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
}

struct Span {
  std::uint32_t begin, end;
  bool right;  ///< the last load read the right word
};

/// The comparison stands before the clock read and needs the last load's data: so the clock waits
/// for them. (Loads of a warp from shared memory end in order.) The empty measurement is two clock
/// reads in a row, as the paper's.
template <class Word, int Loads>
__device__ __forceinline__ Span timed_loads(std::uint32_t address, Word expected,
                                            unsigned threads) {
  Span t;
  Word words[Loads > 0 ? Loads : 1];
  words[0] = expected;
  std::uint32_t right = 1;
  barrier(threads);
  t.begin = clock32();
#pragma unroll
  for (int n = 0; n < Loads; ++n) load(words[n], address);
  const Word last = words[Loads > 0 ? Loads - 1 : 0];
  if constexpr (Loads > 0) {
    asm volatile(
        "{\n\t.reg .pred same;\n\tsetp.eq.u32 same, %2, %3;\n\tmov.u32 %0, "
        "%%clock;\n\tselp.u32 %1, 1, 0, same;\n\t}"
        : "=r"(t.end), "=r"(right)
        : "r"(static_cast<std::uint32_t>(last)), "r"(static_cast<std::uint32_t>(expected))
        : "memory");
  } else {
    t.end = clock32();
  }
  t.right = right != 0 && last == expected;
  return t;
}

/// From the first warp's begin to the last warp's end ([hiroshima-shared-memory], section 3.3,
/// figure 4). Differences to one warp's begin, so that a clock that passes 2^32 does no harm. By
/// all lanes of one warp.
__device__ std::uint32_t span(const Span* intervals, unsigned lane, unsigned warps) {
  const Span mine = intervals[lane < warps ? lane : 0];
  const std::uint32_t reference = intervals[0].begin;
  const int first = __reduce_min_sync(0xFFFFFFFFU, static_cast<int>(mine.begin - reference));
  const int last = __reduce_max_sync(0xFFFFFFFFU, static_cast<int>(mine.end - reference));
  return static_cast<std::uint32_t>(last - first);
}

/// Block (x, y) has congestion x + 1 and y + 1 warps at work.
template <class Word, int Loads>
__global__ void __launch_bounds__(1024) shared_loads(SharedLoads result) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ Span intervals[warp_lanes];
  auto* const table = reinterpret_cast<Word*>(memory);
  table[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const unsigned congestion = blockIdx.x + 1, warps = blockIdx.y + 1;
  const unsigned lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes;
  if (warp >= warps) return;
  // Figure 6: the lanes go down the diagonal of 32 rows of 32 words, one a row, so that no two
  // share a column; the first `congestion` of them are moved to column 0. They read different
  // words, since the same word would be broadcast.
  const unsigned word = lane * warp_lanes + (lane < congestion ? 0 : lane);
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(table + word));
  std::uint32_t* const cycles =
      result.cycles + (blockIdx.x * gridDim.y + blockIdx.y) * result.repeats;
  unsigned wrong = 0;
#pragma unroll 1
  for (int repeat = 0; repeat < result.repeats; ++repeat) {
    const Span t = timed_loads<Word, Loads>(address, Word{word}, 32 * warps);
    wrong += t.right ? 0 : 1;
    if (lane == 0) intervals[warp] = t;
    barrier(32 * warps);
    if (warp > 0) continue;
    const std::uint32_t elapsed = span(intervals, lane, warps);
    if (lane == 0) cycles[repeat] = elapsed;
  }
  if (wrong > 0) atomicAdd(result.wrong, 1);
}

/// [hiroshima-shared-memory], section 4: the mean of 100 repeats. The first fetch the kernel's
/// instructions.
constexpr int paper_repeats = 100, warmups = 2;

/// Cycles of all combinations of one number of loads, counted at once: every combination of warps
/// and congestion has a multiprocessor to itself. [congestion][warps][repeats].
std::vector<std::uint32_t> counted(bool wide, int loads, int repeats) {
  constexpr int counts = shared_points + 1;
  const auto kernel = pick<2 * counts>(wide ? counts + loads : loads, [](auto number) {
    constexpr int n = decltype(number)::value;
    return &shared_loads<std::conditional_t<n / counts == 0, Word32, Word64>, n % counts>;
  });
  const DeviceArray<std::uint32_t> cycles(shared_points * shared_points * repeats);
  const DeviceArray<std::uint32_t> wrong(std::vector<std::uint32_t>{0});
  const std::size_t shared = take_all_shared_memory(reinterpret_cast<const void*>(kernel));
  launch(kernel, {{shared_points, shared_points}, warp_lanes * warp_lanes, shared},
         {cycles.data(), wrong.data(), repeats});
  const std::uint32_t lanes = wrong.all().front();
  verify(lanes == 0, std::to_string(lanes) + " lanes read wrong words from shared memory");
  return cycles.all();
}

/// A kernel with one number of loads and one size of words; `empty`: two clock reads in a row.
struct Cycles {
  Cycles(bool wide, int loads, int repeats) : all(counted(wide, loads, repeats + warmups)) {
    const std::vector<std::uint32_t> none = counted(wide, 0, repeats + warmups);
    empty = median(std::vector<double>(none.begin() + warmups, none.begin() + warmups + repeats));
  }
  std::vector<std::uint32_t> all;
  double empty = 0;
};

void measure_shared(State& state, Shared<Cycles>& shared) {
  const int repeats = state.setup.repeats.value_or(paper_repeats);
  const std::string kernel = state.text("word_bits") + "-bit loads, " + state.text("loads");
  const Cycles& cycles = shared.of(kernel, [&] {
    return std::make_unique<Cycles>(state.is("word_bits", "64"), state.integer("loads"), repeats);
  });
  const int combination =
      (state.integer("congestion") - 1) * shared_points + state.integer("warps") - 1;
  const auto first = cycles.all.begin() + combination * (repeats + warmups) + warmups;
  const double sum = std::accumulate(first, first + repeats, 0.0);
  state.add("cycles", sum / repeats - cycles.empty);
  state.add("least_cycles", *std::min_element(first, first + repeats) - cycles.empty);
  state.note("the empty measurement takes " + std::to_string(static_cast<int>(cycles.empty)) +
             " cycles, which are subtracted");
}
#endif

Row fit_row(double word_bits, const std::string& model,
            const std::vector<std::vector<double>>& terms, const std::vector<double>& cycles) {
  const Fit fit = least_squares(terms, cycles);
  Row row{{{"word_bits", word_bits}, {"model", model}}, {}};
  for (std::size_t n = 0; n < fit.coefficients.size(); ++n)
    row.set("C" + std::to_string(n + 1), fit.coefficients[n]);
  row.set({{"r_squared", fit.r_squared},
           {"rms_residual", fit.rms_residual},
           {"largest_residual", fit.largest_residual}});
  return row;
}

/// Passes that an access takes when words lie in 32 banks of 4 bytes, and words of 8 bytes are read
/// by half a warp at a time.
double passes_of(double congestion, bool wide) {
  if (!wide) return congestion;
  return congestion <= 16 ? congestion + 1 : std::max(17., congestion);
}

/// [hiroshima-shared-memory], equation (1), and the model of a Hopper (docs/probes/block.md).
void fits(std::vector<Row>& rows, std::vector<Row>& more) {
  for (const Group& kind : groups(rows, {"word_bits"})) {
    const double bits = kind.like.number("word_bits");
    std::vector<double> iwc, passes, warps, cycles;
    for (const Row* row : kind.rows) {
      const double i = row->number("loads"), w = row->number("warps"),
                   c = row->number("congestion");
      iwc.push_back(i * w * c);
      passes.push_back(i * std::max(4., std::max(2., w) * passes_of(c, bits == 64)));
      warps.push_back(w);
      cycles.push_back(row->number("cycles"));
    }
    // Narrowed: nothing to fit. With one number of warps C2 and C3 cannot be separated.
    if (cycles.size() < 64 || std::ranges::min(warps) == std::ranges::max(warps)) continue;
    const std::vector<double> one(cycles.size(), 1);
    more.push_back(fit_row(bits, "C1*i*w*c + C2", {iwc, one}, cycles));
    more.push_back(fit_row(bits, "C1*i*max(4, max(2, w)*passes(c)) + C2*w + C3",
                           {passes, warps, one}, cycles));
  }
}

}  // namespace

extern const Probe shared_probe{
    .name = "shared",
    .summary = "shared-memory loads by instructions, warps and bank conflicts, and a fit",
    .source = "[hiroshima-shared-memory]",
    .counted = "cycles of the clock register, the empty measurement subtracted",
    .axes = always({numbers("word_bits", {64, 32}), numbers("loads", counted_up(1, shared_points)),
                    numbers("warps", counted_up(1, shared_points)),
                    numbers("congestion", counted_up(1, shared_points))}),
    .start = MEMSTENCIL_WITH_CUDA(each_sharing<Shared<Cycles>, measure_shared>),
    .derive = fits,
    .notes = {"i loads, w warps, congestion c; cycles of %clock of the multiprocessor, from the "
              "first warp's begin to the last warp's end: the mean of 100 repeats (or of "
              "--repeat), which are not kept one by one",
              "the second clock is read when the last load's data have come"}};

}  // namespace memstencil::membench
