// Probe copy: reads, writes and copies of arrays of given values, in plain or compressible memory.
#pragma once

#include "app/membench/core/transfer.cuh"
#include "kernels/random.hpp"

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>

namespace memstencil::membench {

/// An access is 16 bytes a thread. Of a write the source stays in the L2.
inline bool is_stream(const Row& row) {
  return row.is("access", "read") || row.is("access", "write") || row.is("access", "copy");
}

#ifdef MEMSTENCIL_CUDA
/// The words that an array repeats, a multiple of four.
inline std::vector<std::uint32_t> content_words(const std::string& content,
                                                const std::string& path) {
  constexpr std::uint32_t words_of_row = 1024, all = 1U << 20;
  if (content == "file") {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::uint32_t> words(bytes.size() / 16 * 4);
    std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
    if (words.empty())
      throw Failure(ExitCode::Usage, "--content " + path + ": it has less than 16 bytes");
    return words;
  }
  constexpr float four[] = {0.0F, 1.0F / 6.0F, 0.5F, 1.0F};
  std::vector<std::uint32_t> words;
  for (std::uint32_t n = 0; n < all; ++n) {
    const std::uint64_t hash = splitmix64(n);
    const float value = content == "constant" ? 1.0F / 6.0F
                        : content == "row"    ? 1.0F / static_cast<float>(1 + n / words_of_row)
                        : content == "few"    ? four[hash >> 62]
                        : content == "ramp"   ? static_cast<float>(n % words_of_row) / 1023.0F
                                              : static_cast<float>(hash >> 40) * 0x1p-24F;
    words.push_back(std::bit_cast<std::uint32_t>(value));
  }
  return words;
}

enum class ContentAccess { Read, Write, Copy, Compare };

/// Piece n of 16 bytes of an array is piece n % period of its source.
struct ContentJob {
  static constexpr unsigned threads = 256, in_flight = 4, sums = 1024;
  uint4* to;
  const uint4* from;
  std::uint32_t pieces, period;
  unsigned long long* sum;  ///< of all words read, or the number of pieces that differ
};

template <ContentAccess access>
__global__ void __launch_bounds__(ContentJob::threads) access_content(ContentJob job) {
  const std::uint32_t first = blockIdx.x * job.threads * job.in_flight + threadIdx.x;
  uint4 x[ContentJob::in_flight] = {};
  unsigned long long sum = 0;
#pragma unroll
  for (unsigned i = 0; i < job.in_flight; ++i)
    if (const std::uint32_t n = first + i * job.threads; n < job.pieces)
      x[i] =
          job.from[access == ContentAccess::Read || access == ContentAccess::Copy ? n
                                                                                  : n % job.period];
#pragma unroll
  for (unsigned i = 0; i < job.in_flight; ++i) {
    const std::uint32_t n = first + i * job.threads;
    if (n >= job.pieces) continue;
    if constexpr (access == ContentAccess::Read) {
      sum += x[i].x;
      sum += x[i].y;
      sum += x[i].z;
      sum += x[i].w;
    } else if constexpr (access == ContentAccess::Compare) {
      const uint4 got = job.to[n];
      sum += got.x != x[i].x || got.y != x[i].y || got.z != x[i].z || got.w != x[i].w;
    } else {
      job.to[n] = x[i];
    }
  }
  if constexpr (access == ContentAccess::Read || access == ContentAccess::Compare) {
    for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0U, sum, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(job.sum + blockIdx.x % job.sums, sum);
  }
}

/// Two arrays of a kind of memory, the first with this content, which lies in plain memory as well.
class Contents {
public:
  Contents(const MemoryKind& kind, std::size_t bytes, const std::vector<std::uint32_t>& content)
      : words_(content),
        from_(kind, bytes),
        to_(kind, bytes),
        source_(content),
        sums_(ContentJob::sums) {
    run(ContentAccess::Write, from_);
    compare("its content", from_);
  }

  /// A write is of the second array, a copy from the first to it.
  void run(ContentAccess access) const { run(access, to_); }

  /// @throws Failure(Verification) if what is read, written or copied is not the content
  void check(const std::string& title, ContentAccess access) {
    fill(to_.data(), 0xFF, to_.bytes());
    clear();
    run(access);
    if (access != ContentAccess::Read) return compare(title, to_);
    unsigned long long wanted = 0;
    const std::size_t all = from_.bytes() / sizeof(std::uint32_t);
    for (std::size_t n = 0; n < words_.size(); ++n)
      wanted += (all / words_.size() + (n < all % words_.size() ? 1 : 0)) *
                static_cast<unsigned long long>(words_[n]);
    verify(sum() == wanted, title + ": the sum of all words is another");
  }

private:
  void run(ContentAccess access, const Buffer& to) const {
    const bool of_first = access == ContentAccess::Read || access == ContentAccess::Copy;
    const ContentJob job{static_cast<uint4*>(to.data()),
                         static_cast<const uint4*>(of_first ? from_.data() : source_.data()),
                         static_cast<std::uint32_t>(to.bytes() / sizeof(uint4)),
                         static_cast<std::uint32_t>(source_.size() / 4), sums_.data()};
    constexpr unsigned of_block = ContentJob::threads * ContentJob::in_flight;
    const auto kernel = pick<4>(static_cast<int>(access), [](auto number) {
      return &access_content<static_cast<ContentAccess>(decltype(number)::value)>;
    });
    launch(kernel, Grid{{(job.pieces + of_block - 1) / of_block}, {ContentJob::threads}}, job);
  }
  void clear() { fill(sums_.data(), 0, ContentJob::sums * sizeof(unsigned long long)); }
  unsigned long long sum() const {
    wait_for_gpu("reads of a content");
    unsigned long long all = 0;
    for (const unsigned long long part : sums_.all()) all += part;
    return all;
  }
  void compare(const std::string& title, const Buffer& of) {
    clear();
    run(ContentAccess::Compare, of);
    const unsigned long long other = sum();
    verify(other == 0, title + ": " + std::to_string(other) +
                           " pieces of 16 bytes are not those that were written");
  }

  std::vector<std::uint32_t> words_;
  Buffer from_, to_;
  DeviceArray<std::uint32_t> source_;
  DeviceArray<unsigned long long> sums_;
};
#endif

}  // namespace memstencil::membench
