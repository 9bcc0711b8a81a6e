// The rows of A and of its transpose that a rank has, their layout in its memory, and the tiles
// that ranks send each other: each rank's rows of A, cut where the rows of the other ranks' B
// begin.
#include "app/transpose/distribution.hpp"

#include "memory_spaces/movement.hpp"

#include <algorithm>

namespace memstencil::transpose {

namespace {

Slice slice(std::int64_t total, int rank, int ranks) {
  const std::int64_t least = total / ranks;
  const std::int64_t longer = total % ranks;  // the first ranks have one row more
  return {least * rank + std::min<std::int64_t>(rank, longer), least + (rank < longer ? 1 : 0)};
}

matrix::Block block(const Slice& rows, const Shape& whole, const Distribution& part) {
  return {.rows = rows.count,
          .columns = whole.columns,
          .pitch = part.pitch.of(whole.columns, part.element_bytes),
          .first_row = rows.first,
          .first_column = 0,
          .global_rows = whole.rows,
          .global_columns = whole.columns};
}

/// The tiles for every other rank, or from every other, one after the other. They start at 128-byte
/// lines, and their rows at 16 bytes, as packing is fastest.
std::vector<PackedTile> packed(const Distribution& part, bool incoming) {
  const auto vector = static_cast<std::int64_t>(16 / part.element_bytes);
  std::vector<PackedTile> out;
  std::int64_t first = 0;
  for (int peer = 0; peer < part.ranks; ++peer) {
    if (peer == part.rank) continue;
    const Slice rows = part.rows_of_a(incoming ? peer : part.rank);
    const Slice columns = part.rows_of_b(incoming ? part.rank : peer);
    const std::int64_t pitch = (columns.count + vector - 1) / vector * vector;
    out.push_back({.peer = peer,
                   .rows = rows,
                   .columns = columns,
                   .pitch = pitch,
                   .elements = rows.count * pitch,
                   .first = first});
    first += row_pitch(out.back().elements, part.element_bytes);
  }
  return out;
}

/// With a line more, because kernels may read the padding of a tile's end.
std::size_t bytes_of_tiles(const std::vector<PackedTile>& tiles, std::size_t element_bytes) {
  const std::int64_t end = tiles.back().first + tiles.back().elements;
  return static_cast<std::size_t>(row_pitch(end + 1, element_bytes)) * element_bytes;
}

}  // namespace

std::string size_name(const Shape& shape) {
  return std::to_string(shape.rows) + "x" + std::to_string(shape.columns);
}

std::int64_t Pitch::of(std::int64_t columns, std::size_t element_bytes) const {
  switch (kind) {
    case Kind::Lines:
      return row_pitch(columns, element_bytes);
    case Kind::Added:
      return columns + elements;
    case Kind::Fixed:
      return elements;
  }
  return columns;
}

std::int64_t row_pitch(std::int64_t columns, std::size_t element_bytes) {
  const auto line = static_cast<std::int64_t>(128 / element_bytes);
  return (columns + line - 1) / line * line;
}

Slice Distribution::rows_of_a(int of_rank) const { return slice(shape.rows, of_rank, ranks); }
Slice Distribution::rows_of_b(int of_rank) const { return slice(shape.columns, of_rank, ranks); }

matrix::Block Distribution::a() const { return block(rows_of_a(rank), shape, *this); }
matrix::Block Distribution::b() const {
  return block(rows_of_b(rank), {shape.columns, shape.rows}, *this);
}

double Distribution::room(const matrix::Block& block) const {
  constexpr double line = 128;
  const double row = static_cast<double>(block.pitch) * static_cast<double>(element_bytes);
  return static_cast<double>(block.rows) * row + std::max(row, line);
}

Tiles::Tiles(const MemoryKind& kind, const Distribution& part)
    : outgoing_(packed(part, false)), incoming_(packed(part, true)) {
  const std::size_t element = part.element_bytes;
  for (auto [tiles, label] :
       {std::pair{&outgoing_, "outgoing tiles"}, {&incoming_, "incoming tiles"}}) {
    buffers_.emplace_back(kind, bytes_of_tiles(*tiles, element), label);
    for (PackedTile& each : *tiles)
      each.data = static_cast<char*>(buffers_.back().data()) +
                  static_cast<std::size_t>(each.first) * element;
  }
  for (std::size_t n = 0; n < outgoing_.size(); ++n) {
    const PackedTile &sent = outgoing_[n], &received = incoming_[n];
    const Message message{.peer = sent.peer,
                          .send = sent.data,
                          .receive = received.data,
                          .send_bytes = static_cast<std::size_t>(sent.elements) * element,
                          .receive_bytes = static_cast<std::size_t>(received.elements) * element};
    if (message.send_bytes + message.receive_bytes > 0) messages_.push_back(message);
  }
}

double Tiles::bytes(const Distribution& part) {
  return static_cast<double>(bytes_of_tiles(packed(part, false), part.element_bytes) +
                             bytes_of_tiles(packed(part, true), part.element_bytes));
}

void Tiles::spoil() const {
  for (const Buffer& each : buffers_) fill(each.data(), 0xFF, each.bytes());
}

std::vector<const Buffer*> Tiles::buffers() const {
  std::vector<const Buffer*> out;
  for (const Buffer& each : buffers_) out.push_back(&each);
  return out;
}

}  // namespace memstencil::transpose
