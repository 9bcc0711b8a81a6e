// The rows of A and of its transpose that a rank has, their layout in its memory, and the tiles
// that ranks send each other.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "kernels/matrix/matrix.hpp"
#include "memory_spaces/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace memstencil::transpose {

/// Shape of A; its transpose has as many rows as A has columns.
struct Shape {
  std::int64_t rows, columns;
};
/// "8192x4096"
std::string size_name(const Shape& shape);

/// Rows [first, first + count) of a matrix.
struct Slice {
  std::int64_t first, count;
};

/// How far apart the rows of a matrix begin.
struct Pitch {
  enum class Kind {
    Lines,  ///< whole 128-byte lines, so that all rows start alike
    Added,  ///< `elements` more than a row has: none, or [ufrgs-thesis], 4.4, a column of padding
    Fixed,  ///< `elements`
  };
  Kind kind = Kind::Lines;
  std::int64_t elements = 0;

  /// Elements from one row to the next.
  std::int64_t of(std::int64_t columns, std::size_t element_bytes) const;
};
/// Elements from one row to the next with whole 128-byte lines.
std::int64_t row_pitch(std::int64_t columns, std::size_t element_bytes);

/// Block rows: each rank has a slice of the rows of A, and one of the rows of the transpose. Slices
/// differ by a row at most, and may be empty.
struct Distribution {
  Shape shape;
  int rank, ranks;
  std::size_t element_bytes;
  Pitch pitch = {};

  Slice rows_of_a(int of_rank) const;
  Slice rows_of_b(int of_rank) const;
  /// This rank's part of A, and of the transpose.
  matrix::Block a() const;
  matrix::Block b() const;
  /// Bytes of a block's memory. It has one row more than the block: kernels may read the padding at
  /// the end of a job that starts inside a row. If rows are short and not padded (--pitch), that
  /// is at most the rest of a line.
  double room(const matrix::Block& block) const;
};

/// A tile in a buffer of messages, in rows of `pitch` elements.
struct PackedTile {
  int peer;                      ///< the rank that it goes to, or comes from
  Slice rows, columns;           ///< of A
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
