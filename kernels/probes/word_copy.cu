// The copy of an array word by word, by warps whose lanes are permuted, shifted or idle.
#include "kernels/probes/word_copy.hpp"

#include "kernels/probes/check.cuh"

#include <cuda_runtime.h>

#include <stdexcept>

namespace memstencil::probes {

namespace {

constexpr unsigned threads = 256;
constexpr unsigned warps_of_block = threads / lanes_of_warp;

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
void launch(void* to, const void* from, std::int64_t warps, const WarpAccess& access) {
  const auto blocks = static_cast<unsigned>((warps + warps_of_block - 1) / warps_of_block);
  copy_word<<<blocks, threads>>>(static_cast<Word*>(to), static_cast<const Word*>(from), warps,
                                 access);
  check(cudaGetLastError(), "copy of words");
}

}  // namespace

void copy_words(void* to, const void* from, std::int64_t warps, const WarpAccess& access) {
  switch (access.word_bytes) {
    case 1:
      return launch<unsigned char>(to, from, warps, access);
    case 2:
      return launch<unsigned short>(to, from, warps, access);
    case 4:
      return launch<unsigned>(to, from, warps, access);
    case 8:
      return launch<uint2>(to, from, warps, access);
    case 16:
      return launch<uint4>(to, from, warps, access);
    default:
      throw std::invalid_argument("words have 1, 2, 4, 8 or 16 bytes");
  }
}

}  // namespace memstencil::probes
