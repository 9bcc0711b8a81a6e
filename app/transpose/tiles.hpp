// The tiles that ranks exchange: each rank's rows of A, cut where the rows of the other ranks'
// B begin, and cut again into the pieces of several steps, so that one piece travels while
// others are packed and transposed.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/transpose/distribution.hpp"
#include "memory_spaces/buffer.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace memstencil::transpose {

/// Some rows of A, and some of its columns.
struct Tile {
  Slice rows, columns;
};

/// The part of A that rank `from` sends to another rank `to` in step `step` of `steps`: some of the
/// columns. A small tile is empty in the last steps.
Tile tile(const Distribution& part, int from, int to, std::int64_t step, std::int64_t steps);

/// A tile in a buffer of messages, in rows of `pitch` elements.
struct PackedTile {
  int peer;  ///< whom it goes to, or comes from
  Tile tile;
  std::int64_t pitch, elements;  ///< no elements where the tile is empty
  std::int64_t first = 0;        ///< element of the buffer
  char* data = nullptr;          ///< that element
};

/// Buffers for the pieces of two steps, each way; of one where there is no other; none where
/// nothing is sent.
class Tiles {
public:
  /// In memory that messages can be sent from.
  /// @param steps 0: nothing is sent
  Tiles(const MemoryKind& kind, const Distribution& part, std::int64_t steps);

  /// Bytes that it takes.
  static double bytes(const Distribution& part, std::int64_t steps);

  std::int64_t steps() const { return steps_; }
  /// What this rank's rows of A hold for each other rank in this step, to be packed there.
  std::vector<PackedTile> outgoing(std::int64_t step) const;
  /// What the messages of this step bring from each other rank.
  std::vector<PackedTile> incoming(std::int64_t step) const;
  /// One with every rank to which, or from which, something goes in this step.
  std::vector<Message> messages(std::int64_t step) const;
  /// Makes what has arrived no numbers: what no message brings is then found.
  void spoil() const;
  /// Tells a GPU's exchange of the buffers. Good for as long as the tiles live, which it must
  /// outlive. Collective.
  void enroll(GpuExchange& gpu);

private:
  Distribution part_;
  std::int64_t steps_;
  std::optional<Buffer> outgoing_, incoming_;  ///< a half each for even and for odd steps
  std::vector<std::shared_ptr<void>> enrolled_;
};

}  // namespace memstencil::transpose
