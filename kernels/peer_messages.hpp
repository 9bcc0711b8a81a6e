// Messages between GPUs that reach each other's memory: one kernel stores them where they belong.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memstencil {

/// The address of what arrives, in another process: an offset in one of its regions. In one word,
/// with the message's number, so that one store tells it to the sender.
struct PeerAddress {
  static constexpr int most_regions = 256;
  static constexpr std::size_t most_bytes = std::size_t{1} << 40;

  /// @param region below most_regions
  /// @param offset below most_bytes
  static constexpr std::uint64_t word(std::uint32_t number, int region, std::size_t offset) {
    return (std::uint64_t{number & 0xFFFF} << 48) |
           (std::uint64_t{static_cast<unsigned>(region)} << 40) | std::uint64_t{offset};
  }
};

/// Written by one other rank's kernels and queues, read by this one's; in lines of their own. All 0
/// at first.
struct alignas(128) PeerMail {
  std::uint64_t address;  ///< that the other rank expects this message at
  std::uint32_t arrived;  ///< the number of the message that has come from it
  std::uint32_t signals;  ///< how many its queues have given
};

/// The message with one other rank, both directions.
struct PeerMessage {
  const void* send;
  std::size_t send_bytes, receive_bytes;
  std::uint64_t address;  ///< of what this rank receives, for the other
  std::uint32_t number;   ///< counts the messages of two ranks, from 1 on
  PeerMail* here;         ///< in this GPU's memory
  PeerMail* there;        ///< in the other's
  char* const* regions;   ///< of the other rank, as this GPU sees them; in this GPU's memory
  std::uint32_t* ends;    ///< of this rank and this peer: 0 between messages
};

inline constexpr int most_peer_messages = 32;

/// Submits a kernel to the stream (a cudaStream_t) that gives each sender the address of its
/// message and stores this rank's as soon as their receivers have given theirs, and ends when all
/// have arrived. It spins meanwhile: all ranks must run it at the same time.
/// @param count most_peer_messages at most
/// @throws std::runtime_error with CUDA's reason
void start_peer_messages(const PeerMessage* messages, int count, void* stream);

}  // namespace memstencil
