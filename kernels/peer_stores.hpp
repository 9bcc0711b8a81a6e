// Boxes of an array that a kernel stores into the arrays of other GPUs, and the signals behind
// them. No handshake: the caller guarantees that the targets may be overwritten.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memstencil {

/// Rows of bytes, in rows and planes of two arrays.
struct PeerRows {
  const char* from;
  char* to;                          ///< as this GPU sees it
  std::size_t row, rows, planes;     ///< bytes of a row, rows of a plane, planes
  std::size_t from_row, from_plane;  ///< bytes from one to the next
  std::size_t to_row, to_plane;
};

/// The number of signals that one other rank has given; in a line of its own. 0 at first.
struct alignas(128) PeerSignal {
  std::uint32_t count;
};

/// The rows of one other rank, and its signal.
struct PeerStore : PeerRows {
  std::uint32_t* there;          ///< in the other's memory: gets `given` behind the stores
  std::uint32_t* here;           ///< in this GPU's: is waited for till it is `awaited`
  std::uint32_t given, awaited;  ///< may go round at 2^32
  std::uint32_t* ends;           ///< of this rank and this peer: 0 between stores
};

inline constexpr int most_peer_stores = 26;

/// Submits a kernel to the stream (a cudaStream_t) that stores them all, gives the signals, and
/// ends when the signals of all others have come. It spins meanwhile: all ranks must run it at the
/// same time.
/// @param count most_peer_stores at most
/// @throws std::runtime_error with CUDA's reason
void start_peer_stores(const PeerStore* stores, int count, void* stream);

}  // namespace memstencil
