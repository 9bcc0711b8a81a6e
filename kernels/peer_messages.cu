// Messages between GPUs that reach each other's memory: one kernel stores them where they belong.
#include "kernels/peer_messages.hpp"

#include "kernels/cuda_calls.cuh"

#include <cuda/atomic>

#include <algorithm>

namespace memstencil {

namespace {

constexpr int threads = 256;
// A block stores about 16 KiB of a short message, and so many blocks fill the link with long ones.
constexpr std::size_t bytes_of_block = 16 * 1024;
constexpr std::size_t most_blocks = 128;

struct Batch {
  PeerMessage messages[most_peer_messages];
  int count;
};

template <class Word>
using Shared = cuda::atomic_ref<Word, cuda::thread_scope_system>;

/// Returns when the word is `right`.
template <class Word, class Right>
__device__ Word wait_for(Word& word, Right right) {
  for (;;) {
    const Word seen = Shared<Word>(word).load(cuda::memory_order_acquire);
    if (right(seen)) return seen;
  }
}

template <class Word>
__device__ void copy_words(char* to, const char* from, std::size_t bytes) {
  constexpr int at_once = 4;
  const std::size_t count = bytes / sizeof(Word), step = std::size_t{gridDim.x} * blockDim.x;
  Word* const into = reinterpret_cast<Word*>(to);
  const Word* const source = reinterpret_cast<const Word*>(from);
  std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; n + (at_once - 1) * step < count; n += at_once * step) {
    Word words[at_once];
#pragma unroll
    for (int w = 0; w < at_once; ++w) words[w] = source[n + w * step];
#pragma unroll
    for (int w = 0; w < at_once; ++w) into[n + w * step] = words[w];
  }
  for (; n < count; n += step) into[n] = source[n];
}

/// This thread's part of a copy by the whole grid.
__device__ void copy_part(char* to, const char* from, std::size_t bytes) {
  const auto odd = (reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from)) % 16;
  const std::size_t words = odd == 0 ? bytes / 16 * 16 : odd % 4 == 0 ? bytes / 4 * 4 : 0;
  if (odd == 0)
    copy_words<uint4>(to, from, words);
  else if (odd % 4 == 0)
    copy_words<std::uint32_t>(to, from, words);
  copy_words<char>(to + words, from + words, bytes - words);
}

__global__ void __launch_bounds__(threads) carry(const __grid_constant__ Batch batch) {
  const bool first = blockIdx.x == 0 && threadIdx.x < batch.count;
  if (first) {
    const PeerMessage& m = batch.messages[threadIdx.x];
    if (m.receive_bytes > 0)
      Shared<std::uint64_t>(m.there->address).store(m.address, cuda::memory_order_release);
  }
  __shared__ char* to;
  for (int n = 0; n < batch.count; ++n) {
    const PeerMessage& m = batch.messages[n];
    if (m.send_bytes == 0) continue;
    if (threadIdx.x == 0) {
      const std::uint64_t address = wait_for(
          m.here->address, [&](std::uint64_t seen) { return seen >> 48 == (m.number & 0xFFFF); });
      to = m.regions[address >> 40 & 0xFF] + (address & (PeerAddress::most_bytes - 1));
    }
    __syncthreads();
    copy_part(to, static_cast<const char*>(m.send), m.send_bytes);
    __syncthreads();
    if (threadIdx.x == 0) {
      // What all threads of the block stored comes before the number that follows.
      cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_system);
      if (atomicAdd(m.ends, 1U) == gridDim.x - 1) {
        *m.ends = 0;
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_system);
        Shared<std::uint32_t>(m.there->arrived).store(m.number, cuda::memory_order_release);
      }
    }
  }
  if (first) {
    const PeerMessage& m = batch.messages[threadIdx.x];
    if (m.receive_bytes > 0)
      wait_for(m.here->arrived, [&](std::uint32_t seen) { return seen == m.number; });
  }
}

}  // namespace

void start_peer_messages(const PeerMessage* messages, int count, void* stream) {
  Batch batch{};
  batch.count = count;
  std::copy_n(messages, count, batch.messages);
  std::size_t most = 1;
  for (int n = 0; n < count; ++n) most = std::max(most, messages[n].send_bytes);
  const std::size_t blocks = std::min((most + bytes_of_block - 1) / bytes_of_block, most_blocks);
  carry<<<static_cast<unsigned>(blocks), threads, 0, static_cast<cudaStream_t>(stream)>>>(batch);
  check(cudaGetLastError(), "messages between GPUs");
}

}  // namespace memstencil
