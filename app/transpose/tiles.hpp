// The tiles that ranks send each other: each rank's rows of A, cut where the rows of the other
// ranks' B begin.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/transpose/distribution.hpp"
#include "memory_spaces/buffer.hpp"

#include <cstdint>
#include <vector>

namespace memstencil::transpose {

/// Some rows of A, and some of its columns.
struct Tile {
  Slice rows, columns;
};

/// A tile in a buffer of messages, in rows of `pitch` elements.
struct PackedTile {
  int peer;  ///< the rank that it goes to, or comes from
  Tile tile;
  std::int64_t pitch, elements;  ///< no elements if the tile is empty
  std::int64_t first = 0;        ///< element of the buffer
  char* data = nullptr;          ///< that element
};

/// This rank's tiles for all others and theirs for it, each way in a buffer.
class Tiles {
public:
  /// None: nothing is sent.
  Tiles() = default;
  /// In memory that messages can be sent from.
  Tiles(const MemoryKind& kind, const Distribution& part);

  /// Bytes that they take.
  static double bytes(const Distribution& part);

  const std::vector<PackedTile>& outgoing() const { return outgoing_; }
  const std::vector<PackedTile>& incoming() const { return incoming_; }
  /// One with every rank that a tile goes to or comes from.
  const std::vector<Message>& messages() const { return messages_; }
  /// Makes the buffers NaN: verification then finds an element that no message brings.
  void spoil() const;
  std::vector<const Buffer*> buffers() const;

private:
  std::vector<PackedTile> outgoing_, incoming_;
  std::vector<Message> messages_;
  std::vector<Buffer> buffers_;  ///< of the outgoing, of the incoming
};

}  // namespace memstencil::transpose
