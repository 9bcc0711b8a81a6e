// Probe l2: reads, writes, copies and triads over and over the same footprint, with each
// multiprocessor in blocks of memory that are chosen for it.
#pragma once

#include "kernels/portable.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace memstencil::probes {

/// On 32-bit words: a = constant, a = b, a = b + 3 c. Read adds all words up.
enum class StreamOperation { Read, Write, Copy, Triad };
inline constexpr std::array all_stream_operations{StreamOperation::Read, StreamOperation::Write,
                                                  StreamOperation::Copy, StreamOperation::Triad};

/// Array 0 is the one that is written; of Read the one that is read.
MEMSTENCIL_FUNCTION constexpr int arrays_of(StreamOperation operation) {
  if (operation == StreamOperation::Triad) return 3;
  return operation == StreamOperation::Copy ? 2 : 1;
}

/// An access of a warp, 16 bytes a thread: what the work is dealt out in.
inline constexpr std::uint32_t stream_unit_bytes = 512;
inline constexpr std::uint32_t stream_unit_words = stream_unit_bytes / sizeof(std::uint32_t);
/// The memory is chosen in blocks of so many units: 4096 bytes.
inline constexpr std::uint32_t units_of_block = 8;

/// Word n of the memory at first: each is different.
MEMSTENCIL_FUNCTION std::uint32_t stream_word(std::uint32_t n) { return n * 2654435761U + 12345U; }
/// Word n after it was written by Write.
MEMSTENCIL_FUNCTION std::uint32_t written_word(std::uint32_t n) { return stream_word(n) + 777U; }
MEMSTENCIL_FUNCTION std::uint32_t triad_word(std::uint32_t b, std::uint32_t c) { return b + 3 * c; }

/// The place of a multiprocessor in its group, by its identifier (%smid).
struct StreamPlace {
  int group = -1;  ///< 0 or 1; -1: no block is expected there
  std::uint32_t rank = 0, members = 0;
};

/// Multiprocessors that work on the same blocks.
struct StreamGroup {
  /// device: numbers of the memory's blocks, `blocks_an_array` for array 0, then for array 1, 2
  const std::uint32_t* blocks = nullptr;
  std::uint32_t blocks_an_array = 0;
  std::uint32_t units = 0;  ///< of an array: members * share
};

struct StreamJob {
  StreamOperation operation = StreamOperation::Read;
  std::uint32_t* memory = nullptr;      ///< device
  const StreamPlace* places = nullptr;  ///< device: stream_identifiers of them
  StreamGroup groups[2];
  std::uint32_t share = 0;   ///< units of each array that a multiprocessor has, at least 1
  std::uint32_t passes = 0;  ///< over the footprint, in one launch; share * passes below 2^31
  /// device, by identifier: each launch adds 1 and, for Read, the sum of the words, modulo 2^32
  std::uint32_t *arrivals = nullptr, *sums = nullptr;
};

/// Identifiers of multiprocessors are smaller.
inline constexpr std::size_t stream_identifiers = 1024;

/// The largest share * arrays_of() that this GPU takes: a table in shared memory has them.
/// @throws CudaError
std::uint32_t largest_stream_share();

/// Sets `words` words to stream_word(). Asynchronous. @throws CudaError
void fill_stream_words(std::uint32_t* memory, std::uint32_t words);

/// Seconds of the passes, by one block of 1024 threads on each multiprocessor: of a launch, less
/// those of a launch without a pass. Both arrive. @throws CudaError
double stream_seconds(const StreamJob& job);

/// Adds the number of words that are not what the operation leaves, arrays that are only read
/// included, to *wrong (device). Asynchronous. @throws CudaError
void count_wrong_words(const StreamJob& job, std::uint32_t* wrong);

}  // namespace memstencil::probes
