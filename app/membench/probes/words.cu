// Probe words: the copy of an array word by word, by warps whose lanes are permuted, shifted or
// idle: the cases that the rules of coalescing distinguish ([ufrgs-thesis], section 4.2.1).
#include "app/membench/core/arrays.hpp"
#include "app/membench/core/gpu.cuh"
#include "kernels/portable.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>

namespace memstencil::membench {

namespace {

constexpr int lanes_of_warp = 32;

/// The words of a warp are 32 neighbours; lane n takes one of them, or none.
struct WarpAccess {
  int word_bytes = 4;                 ///< 1, 2, 4, 8 or 16
  unsigned multiplier = 1;            ///< odd, so that all lanes take different words
  unsigned rotation = 0;              ///< lane n takes word (n * multiplier + rotation) % 32
  std::uint32_t active = 0xFFFFFFFF;  ///< bit n: lane n takes part
  unsigned shift = 0;                 ///< all warps start so many words behind an aligned address
};

MEMSTENCIL_FUNCTION bool takes_part(const WarpAccess& access, unsigned lane) {
  return (access.active >> lane & 1U) != 0;
}

/// Word of the array that a lane of a warp copies.
MEMSTENCIL_FUNCTION std::int64_t copied_word(const WarpAccess& access, std::int64_t warp,
                                             unsigned lane) {
  return warp * lanes_of_warp + access.shift +
         (lane * access.multiplier + access.rotation) % lanes_of_warp;
}

/// An access under the name that a reader knows it by.
struct Case {
  std::string name;
  WarpAccess access;
};

std::vector<Case> all_cases() {
  return {
      {"in order", {}},
      {"reversed", {.multiplier = 31, .rotation = 31}},
      {"rotated by 8 lanes", {.rotation = 8}},
      {"scattered over the warp", {.multiplier = 5}},
      {"every second lane", {.active = 0x55555555}},
      {"every eighth lane", {.active = 0x01010101}},
      {"first half-warp", {.active = 0x0000FFFF}},
      {"shifted by a word", {.shift = 1}},
      // The first lane is at byte 116 of words of 4 bytes, so that three lie in the first segment.
      {"figure 4.3", {.shift = 29}}};
}

WarpAccess access_of(const Row& row) {
  for (Case& each : all_cases())
    if (row.is("access", each.name)) {
      each.access.word_bytes = static_cast<int>(row.number("word_bytes"));
      return each.access;
    }
  return {};
}

/// Bytes of the words that active lanes take, and sectors of 32 bytes that the warp touches: what
/// GPUs count since compute capability 3.x.
struct Counted {
  int asked_bytes = 0, sectors = 0;
};
Counted counted(const WarpAccess& access) {
  constexpr std::int64_t sector_bytes = 32;
  std::set<std::int64_t> touched;
  Counted out;
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    if (!takes_part(access, lane)) continue;
    const std::int64_t first = copied_word(access, 0, lane) * access.word_bytes;
    out.asked_bytes += access.word_bytes;
    touched.insert(first / sector_bytes);
    touched.insert((first + access.word_bytes - 1) / sector_bytes);
  }
  out.sectors = static_cast<int>(touched.size());
  return out;
}

#ifdef MEMSTENCIL_CUDA
constexpr unsigned threads = 256, warps_of_block = threads / lanes_of_warp;

/// Idle lanes are idle in a warp that runs: it issues its load and store for the others.
template <class Word>
__global__ void __launch_bounds__(threads)
    copy_word(Word* __restrict__ to, const Word* __restrict__ from, std::int64_t warps,
              WarpAccess access) {
  const std::int64_t warp = std::int64_t{blockIdx.x} * warps_of_block + threadIdx.x / lanes_of_warp;
  const unsigned lane = threadIdx.x % lanes_of_warp;
  if (warp >= warps || !takes_part(access, lane)) return;
  const std::int64_t n = copied_word(access, warp, lane);
  to[n] = from[n];
}

template <class Word>
void copy_words(void* to, const void* from, std::int64_t warps, const WarpAccess& access) {
  const auto blocks = static_cast<unsigned>((warps + warps_of_block - 1) / warps_of_block);
  launch(copy_word<Word>, {blocks, threads}, static_cast<Word*>(to), static_cast<const Word*>(from),
         warps, access);
}
/// Of words of 1, 2, 4, 8 and 16 bytes.
constexpr decltype(&copy_words<uint4>) copies[]{copy_words<unsigned char>,
                                                copy_words<unsigned short>, copy_words<unsigned>,
                                                copy_words<uint2>, copy_words<uint4>};

/// Behind the words: room for the largest shift, and bytes that nobody may write.
constexpr std::size_t room_behind = 512;
constexpr std::size_t largest_warp = 16 * lanes_of_warp;

/// Two arrays in device memory, and the source once more on the host.
class WordArrays {
public:
  explicit WordArrays(std::size_t bytes)
      : bytes_(bytes), from_(bytes + room_behind), to_(bytes + room_behind) {
    const std::size_t doubles = (bytes + room_behind) / sizeof(double);
    probes::device_pattern().write(reinterpret_cast<double*>(from_.data()), doubles, 1, 3);
    source_ = from_.all();
  }

  std::size_t bytes() const { return bytes_; }
  std::int64_t warps(const WarpAccess& access) const {
    return static_cast<std::int64_t>(bytes_) / (access.word_bytes * lanes_of_warp);
  }

  double seconds(const WarpAccess& access, int times) const {
    return seconds_of([&] {
      for (int n = 0; n < times; ++n)
        copies[std::countr_zero(static_cast<unsigned>(access.word_bytes))](to_.data(), from_.data(),
                                                                           warps(access), access);
    });
  }

  /// Copies once and looks at every byte: those that no lane takes must stay as they were.
  /// @throws Failure(Verification)
  void check(const std::string& name, const WarpAccess& access) {
    to_.spoil();
    seconds(access, 1);
    const std::vector<unsigned char> found = to_.all();
    const std::vector<unsigned char> idle = idle_bytes(access);
    const auto first = static_cast<std::size_t>(access.shift * access.word_bytes);
    const std::size_t end = first + static_cast<std::size_t>(warps(access)) * idle.size();
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < first; ++n) wrong += found[n] != 0xFF ? 1 : 0;
    for (std::size_t warp = first; warp < end; warp += idle.size())
      for (std::size_t n = 0; n < idle.size(); ++n)
        wrong += found[warp + n] != (source_[warp + n] | idle[n]) ? 1 : 0;
    for (std::size_t n = end; n < found.size(); ++n) wrong += found[n] != 0xFF ? 1 : 0;
    verify(wrong == 0, name + ": " + std::to_string(wrong) + " bytes are wrong");
  }

private:
  std::size_t bytes_;
  DeviceArray<unsigned char> from_, to_;
  std::vector<unsigned char> source_;

  /// Of the words of a warp: 0xFF for each byte that no lane takes, otherwise 0.
  static std::vector<unsigned char> idle_bytes(const WarpAccess& access) {
    const auto word = static_cast<std::size_t>(access.word_bytes);
    std::vector<unsigned char> idle(word * lanes_of_warp, 0xFF);
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
      if (!takes_part(access, lane)) continue;
      const std::int64_t in_warp = copied_word(access, 0, lane) - access.shift;
      std::fill_n(idle.begin() + in_warp * access.word_bytes, word, static_cast<unsigned char>(0));
    }
    return idle;
  }
};

Point start(const Setup&) {
  const auto arrays = std::make_shared<std::unique_ptr<WordArrays>>();
  return [arrays](State& state) {
    constexpr std::size_t whole = largest_warp;
    const std::size_t bytes = std::max(state.bytes() / whole, std::size_t{1}) * whole;
    if (!*arrays || (*arrays)->bytes() != bytes) {
      require_memory(MemorySpace::Device, 2 * (bytes + room_behind));
      arrays->reset();
      *arrays = std::make_unique<WordArrays>(bytes);
    }
    WarpAccess access = all_cases()[static_cast<std::size_t>(state.index("access"))].access;
    access.word_bytes = state.integer("word_bytes");
    const double asked =
        2.0 * counted(access).asked_bytes * static_cast<double>((*arrays)->warps(access));
    const int times = static_cast<int>(std::clamp(5e8 / asked, 1.0, 20.0));
    (*arrays)->check(state.title(), access);
    state.sample("gbs", [&] { return 1e-9 * times * asked / (*arrays)->seconds(access, times); });
  };
}

#endif

std::vector<Axis> axes(bool) {
  std::vector<std::string> accesses;
  for (const Case& each : all_cases()) accesses.push_back(each.name);
  // Twice that exceeds the L2 of a Hopper, and the host still verifies it byte by byte at once.
  return {sizes("bytes", {64. * mib}), names("access", accesses),
          numbers("word_bytes", {1, 2, 4, 8, 16})};
}

void derive(std::vector<Row>& rows) {
  for (Row& row : rows) {
    const Counted count = counted(access_of(row));
    row.set("asked_bytes", count.asked_bytes);
    row.set("sectors", count.sectors);
    row.set("l2_gbs", row.number("gbs") * 32 * count.sectors / count.asked_bytes);
  }
}

}  // namespace

extern const Probe words_probe{
    .name = "words",
    .summary = "copies word by word: permuted, shifted and idle lanes, words of 1 to 16 bytes",
    .source = "[ufrgs-thesis], 4.2.1",
    .counted = "bytes asked for, read + written; 32-byte sectors of a warp's access",
    .axes = axes,
    .start = MEMSTENCIL_WITH_CUDA(start),
    .derive = derive,
    .notes =
        {"asked_bytes, sectors: of one warp's access; l2_gbs counts whole sectors instead of the "
         "bytes asked for"},
    .sampling = {.warmups = 2, .fewest = 20, .most = 100}};

}  // namespace memstencil::membench
