// The tiles that ranks exchange: each rank's rows of A, cut where the rows of the other ranks'
// B begin, and cut again into the pieces of several steps, so that one piece travels while
// others are packed and transposed.
#include "app/transpose/tiles.hpp"

#include "kernels/matrix/matrix.hpp"
#include "kernels/portable.hpp"
#include "memory_spaces/movement.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace memstencil::transpose {

namespace {

/// Part `n` of `parts` of a slice; parts begin at whole lines of a matrix that
/// the slice begins at one of.
Slice cut(const Slice& slice, std::int64_t n, std::int64_t parts, std::size_t element_bytes) {
  const std::int64_t each = row_pitch((slice.count + parts - 1) / parts, element_bytes);
  const std::int64_t first = std::min(n * each, slice.count);
  return {slice.first + first, std::min(each, slice.count - first)};
}

/// Elements from row to row of a packed tile: rows start at 16 bytes, as the fast kernels want it.
std::int64_t packed_pitch(std::int64_t columns, std::size_t element_bytes) {
  const auto vector = static_cast<std::int64_t>(16 / element_bytes);
  return (columns + vector - 1) / vector * vector;
}

/// A tile in a buffer: so many elements from `first` on.
struct Packed {
  int peer;
  Tile tile;
  std::int64_t first, pitch;

  std::int64_t elements() const { return tile.columns.count > 0 ? tile.rows.count * pitch : 0; }
};

/// The tiles of a step for every other rank, or from every other, one after the other;
/// they start at 128-byte lines.
std::vector<Packed> packed(const Distribution& part, std::int64_t step, std::int64_t steps,
                           bool incoming) {
  std::vector<Packed> out;
  std::int64_t first = 0;
  for (int peer = 0; peer < part.ranks; ++peer) {
    if (peer == part.rank) continue;
    const Tile its = incoming ? tile(part, peer, part.rank, step, steps)
                              : tile(part, part.rank, peer, step, steps);
    out.push_back({peer, its, first, packed_pitch(its.columns.count, part.element_bytes)});
    first += row_pitch(out.back().elements(), part.element_bytes);
  }
  return out;
}

/// Of one step: the first is never smaller than another. A line more, because kernels may read what
/// pads a tile's end.
std::size_t bytes_of_step(const Distribution& part, std::int64_t steps, bool incoming) {
  if (steps == 0) return 0;
  const Packed last = packed(part, 0, steps, incoming).back();
  const std::int64_t elements = row_pitch(last.first + last.elements() + 1, part.element_bytes);
  return static_cast<std::size_t>(elements) * part.element_bytes;
}

/// The pieces that a buffer holds: where all is sent in one step, there is no other beside it.
std::size_t halves(std::int64_t steps) { return steps > 1 ? 2 : 1; }

template <class T>
T* half(const std::optional<Buffer>& buffer, std::int64_t step) {
  const std::size_t odd = step % 2 != 0 ? buffer->bytes() / 2 : 0;
  return reinterpret_cast<T*>(static_cast<char*>(buffer->data()) + odd);
}

}  // namespace

Tile tile(const Distribution& part, int from, int to, std::int64_t step, std::int64_t steps) {
  return {part.rows_of_a(from), cut(part.rows_of_b(to), step, steps, part.element_bytes)};
}

template <class T>
Tiles<T>::Tiles(MemorySpace space, const Distribution& part, std::int64_t steps)
    : part_(part), steps_(steps) {
  if (steps == 0) return;
  outgoing_.emplace(space, halves(steps) * bytes_of_step(part, steps, false));
  incoming_.emplace(space, halves(steps) * bytes_of_step(part, steps, true));
}

template <class T>
double Tiles<T>::bytes(const Distribution& part, std::int64_t steps) {
  return static_cast<double>(
      halves(steps) * (bytes_of_step(part, steps, false) + bytes_of_step(part, steps, true)));
}

template <class T>
template <class Exec>
void Tiles<T>::pack(const Exec& exec, std::int64_t step, const T* a) const {
  const matrix::Block block = part_.a();
  for (const Packed& each : packed(part_, step, steps_, false)) {
    if (each.elements() == 0) continue;
    const std::int64_t row = each.tile.rows.first - block.first_row;
    // The padding of a packed row comes along from A, whose rows have more room than columns, but
    // for the last one: Matrices has room for one more.
    matrix::pack(exec, a + row * block.pitch + each.tile.columns.first, block.pitch,
                 each.tile.rows.count, each.pitch, half<T>(outgoing_, step) + each.first);
  }
}

template <class T>
std::vector<Message> Tiles<T>::messages(std::int64_t step) const {
  const auto sent = packed(part_, step, steps_, false);
  const auto received = packed(part_, step, steps_, true);
  std::vector<Message> out;
  for (std::size_t n = 0; n < sent.size(); ++n) {
    const auto bytes = [](const Packed& its) {
      return static_cast<std::size_t>(its.elements()) * sizeof(T);
    };
    const Message message{.peer = sent[n].peer,
                          .send = half<T>(outgoing_, step) + sent[n].first,
                          .receive = half<T>(incoming_, step) + received[n].first,
                          .send_bytes = bytes(sent[n]),
                          .receive_bytes = bytes(received[n])};
    if (message.send_bytes + message.receive_bytes > 0) out.push_back(message);
  }
  return out;
}

template <class T>
std::vector<Job<T>> Tiles<T>::jobs(std::int64_t step, T* b) const {
  const matrix::Block block = part_.b();
  std::vector<Job<T>> out;
  for (const Packed& each : packed(part_, step, steps_, true)) {
    if (each.elements() == 0) continue;
    const std::int64_t row = each.tile.columns.first - block.first_row;
    out.push_back({.a = half<T>(incoming_, step) + each.first,
                   .b = b + row * block.pitch + each.tile.rows.first,
                   .rows = each.tile.rows.count,
                   .columns = each.tile.columns.count,
                   .a_pitch = each.pitch,
                   .b_pitch = block.pitch});
  }
  return out;
}

template <class T>
void Tiles<T>::spoil() const {
  if (incoming_) fill(incoming_->data(), 0xFF, incoming_->bytes());
}

template <class T>
void Tiles<T>::enroll(GpuExchange& gpu) {
  for (const std::optional<Buffer>* each : {&outgoing_, &incoming_})
    if (*each) enrolled_.push_back(gpu.enroll(**each));
}

template <class T>
bool Tiles<T>::enrolled() const {
  const auto taken = [](const std::shared_ptr<void>& each) { return each != nullptr; };
  return !enrolled_.empty() && std::all_of(enrolled_.begin(), enrolled_.end(), taken);
}

template class Tiles<float>;
template class Tiles<double>;
#define MEMSTENCIL_INSTANTIATE(Exec)                                               \
  template void Tiles<float>::pack(const Exec&, std::int64_t, const float*) const; \
  template void Tiles<double>::pack(const Exec&, std::int64_t, const double*) const;
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::transpose
