// The tiles that ranks exchange: each rank's rows of A, cut where the rows of the other ranks' B begin.
#include "app/transpose/tiles.hpp"

#include "kernels/matrix/matrix.hpp"
#include "kernels/portable.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace memstencil::transpose {

namespace {

/// What a rank has in a buffer for each rank, itself left out, one after the other; tiles start at
/// 128-byte lines. `count(r)` is the number of elements for rank r.
template <class Count>
std::vector<Portion> portions(const Distribution& part, const Count& count) {
  std::vector<Portion> out;
  std::size_t first = 0;
  for (int r = 0; r < part.ranks; ++r) {
    const std::int64_t elements = r == part.rank ? 0 : count(r);
    out.push_back({first, static_cast<std::size_t>(elements)});
    first += static_cast<std::size_t>(row_pitch(elements, part.element_bytes));
  }
  return out;
}

std::vector<Portion> outgoing(const Distribution& part) {
  const std::int64_t rows = part.rows_of_a(part.rank).count;
  return portions(part, [&](int to) { return rows * part.rows_of_b(to).count; });
}

std::vector<Portion> incoming(const Distribution& part) {
  const std::int64_t columns = part.rows_of_b(part.rank).count;
  return portions(part, [&](int from) { return part.rows_of_a(from).count * columns; });
}

std::size_t message_bytes(const std::vector<Portion>& portions, std::size_t element_bytes) {
  constexpr std::size_t line = 128;
  return (portions.back().first + portions.back().count) * element_bytes + line;
}

}  // namespace

template <class T>
Tiles<T>::Tiles(MemorySpace space, const Distribution& largest, const Communicator& communicator)
    : communicator_(communicator) {
  if (largest.ranks == 1) return;
  outgoing_.emplace(space, message_bytes(outgoing(largest), sizeof(T)));
  incoming_.emplace(space, message_bytes(incoming(largest), sizeof(T)));
}

template <class T>
template <class Exec>
void Tiles<T>::pack(const Exec& exec, const Distribution& part, const T* a) const {
  const matrix::Block block = part.a();
  const auto portions = outgoing(part);
  for (int to = 0; to < part.ranks; ++to) {
    const Portion& portion = portions[static_cast<std::size_t>(to)];
    const Slice columns = part.rows_of_b(to);
    if (portion.count > 0)
      matrix::pack(exec, a + columns.first, block.pitch, block.rows, columns.count,
                   static_cast<T*>(outgoing_->data()) + portion.first);
  }
  exec.fence("transpose: pack");
}

template <class T>
void Tiles<T>::exchange(const Distribution& part) const {
  communicator_.all_to_all(outgoing_->data(), outgoing(part), incoming_->data(), incoming(part), sizeof(T));
}

template <class T>
Tile<T> Tiles<T>::received(const Distribution& part, int from) const {
  const Portion portion = incoming(part)[static_cast<std::size_t>(from)];
  return {static_cast<const T*>(incoming_->data()) + portion.first, part.rows_of_a(from).count,
          part.rows_of_b(part.rank).count};
}

template class Tiles<float>;
template class Tiles<double>;
#define MEMSTENCIL_INSTANTIATE(Exec)                                                      \
  template void Tiles<float>::pack(const Exec&, const Distribution&, const float*) const; \
  template void Tiles<double>::pack(const Exec&, const Distribution&, const double*) const;
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::transpose
