// The tiles that ranks exchange: each rank's rows of A, cut where the rows of the other ranks'
// B begin, and cut again into the pieces of several steps, so that one piece travels while
// others are packed and transposed.
#include "app/transpose/tiles.hpp"

#include "memory_spaces/movement.hpp"

#include <algorithm>

namespace memstencil::transpose {

namespace {

/// Part `n` of `parts` of a slice; parts begin at whole lines of a matrix that
/// the slice begins at one of.
Slice cut(const Slice& slice, std::int64_t n, std::int64_t parts, std::size_t element_bytes) {
  const std::int64_t each = row_pitch((slice.count + parts - 1) / parts, element_bytes);
  const std::int64_t first = std::min(n * each, slice.count);
  return {slice.first + first, std::min(each, slice.count - first)};
}

/// Rows of a packed tile start at 16 bytes, as the fast kernels want it.
PackedTile packed(int peer, const Tile& tile, std::size_t element_bytes) {
  const auto vector = static_cast<std::int64_t>(16 / element_bytes);
  const std::int64_t columns = tile.columns.count, pitch = (columns + vector - 1) / vector * vector;
  return {peer, tile, pitch, columns > 0 ? tile.rows.count * pitch : 0};
}

/// The tiles of a step for every other rank, or from every other, one after the other;
/// they start at 128-byte lines.
std::vector<PackedTile> packed(const Distribution& part, std::int64_t step, std::int64_t steps,
                               bool incoming) {
  std::vector<PackedTile> out;
  std::int64_t first = 0;
  for (int peer = 0; peer < part.ranks; ++peer) {
    if (peer == part.rank) continue;
    const Tile its = incoming ? tile(part, peer, part.rank, step, steps)
                              : tile(part, part.rank, peer, step, steps);
    out.push_back(packed(peer, its, part.element_bytes));
    out.back().first = first;
    first += row_pitch(out.back().elements, part.element_bytes);
  }
  return out;
}

/// Of one step: the first is never smaller than another. A line more, because kernels may read what
/// pads a tile's end.
std::size_t bytes_of_step(const Distribution& part, std::int64_t steps, bool incoming) {
  if (steps == 0) return 0;
  const PackedTile last = packed(part, 0, steps, incoming).back();
  const std::int64_t elements = row_pitch(last.first + last.elements + 1, part.element_bytes);
  return static_cast<std::size_t>(elements) * part.element_bytes;
}

/// The pieces that a buffer holds: where all is sent in one step, there is no other.
std::size_t halves(std::int64_t steps) { return steps > 1 ? 2 : 1; }

/// The tiles in their half of the buffer.
std::vector<PackedTile> placed(std::vector<PackedTile> tiles, const Buffer& buffer,
                               std::int64_t step, std::size_t element_bytes) {
  char* const half =
      static_cast<char*>(buffer.data()) + (step % 2 != 0 ? buffer.bytes() / 2 : std::size_t{0});
  for (PackedTile& each : tiles)
    each.data = half + static_cast<std::size_t>(each.first) * element_bytes;
  return tiles;
}

}  // namespace

Tile tile(const Distribution& part, int from, int to, std::int64_t step, std::int64_t steps) {
  return {part.rows_of_a(from), cut(part.rows_of_b(to), step, steps, part.element_bytes)};
}

Tiles::Tiles(const MemoryKind& kind, const Distribution& part, std::int64_t steps)
    : part_(part), steps_(steps) {
  if (steps == 0) return;
  outgoing_.emplace(kind, halves(steps) * bytes_of_step(part, steps, false), "outgoing tiles");
  incoming_.emplace(kind, halves(steps) * bytes_of_step(part, steps, true), "incoming tiles");
}

double Tiles::bytes(const Distribution& part, std::int64_t steps) {
  return static_cast<double>(
      halves(steps) * (bytes_of_step(part, steps, false) + bytes_of_step(part, steps, true)));
}

std::vector<PackedTile> Tiles::outgoing(std::int64_t step) const {
  return placed(packed(part_, step, steps_, false), *outgoing_, step, part_.element_bytes);
}

std::vector<PackedTile> Tiles::incoming(std::int64_t step) const {
  return placed(packed(part_, step, steps_, true), *incoming_, step, part_.element_bytes);
}

std::vector<Message> Tiles::messages(std::int64_t step) const {
  const auto sent = outgoing(step), received = incoming(step);
  const auto bytes = [this](const PackedTile& its) {
    return static_cast<std::size_t>(its.elements) * part_.element_bytes;
  };
  std::vector<Message> out;
  for (std::size_t n = 0; n < sent.size(); ++n) {
    const Message message{.peer = sent[n].peer,
                          .send = sent[n].data,
                          .receive = received[n].data,
                          .send_bytes = bytes(sent[n]),
                          .receive_bytes = bytes(received[n])};
    if (message.send_bytes + message.receive_bytes > 0) out.push_back(message);
  }
  return out;
}

void Tiles::spoil() const {
  for (const std::optional<Buffer>* each : {&outgoing_, &incoming_})
    if (*each) fill((*each)->data(), 0xFF, (*each)->bytes());
}

void Tiles::enroll(GpuExchange& gpu) {
  for (const std::optional<Buffer>* each : {&outgoing_, &incoming_})
    if (*each) enrolled_.push_back(gpu.enroll(**each));
}

}  // namespace memstencil::transpose
