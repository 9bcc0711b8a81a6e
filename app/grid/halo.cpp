// The halo exchange between the ranks of a Cartesian decomposition.
#include "app/grid/halo.hpp"

#include "app/base/runtime/execution.hpp"
#include "app/bench/placement.hpp"
#include "kernels/elapsed.hpp"
#include "kernels/grid/boxes.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace memstencil {

namespace {

/// Messages start at lines of 128 bytes.
constexpr std::size_t message_line = 128;
/// Between processes of a node the kernel copies MPI's messages, page by page: with pages of 4 KiB
/// that takes twice as long as the bytes do (docs/lab/many-gpus.md).
constexpr std::size_t huge_page = std::size_t{2} << 20;
bool want_huge_pages(Transport transport, double bytes) {
  return transport == Transport::Staged && bytes >= huge_page / 4;
}

}  // namespace

bool carried_by_copies(Transport transport, MemorySpace p) {
  return home(p) == Home::Gpu && !carried_by_gpus(transport);
}

double halo_bytes(const Subdomain& subdomain, Transport transport, std::size_t bytes_of_value) {
  if (transport == Transport::Peer) return 0;
  const Grid& grid = subdomain.grid;
  const auto whole = [](double bytes, std::size_t unit) {
    return std::ceil(bytes / static_cast<double>(unit)) * static_cast<double>(unit);
  };
  double bytes = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    // Copies move rows with their pads; rows of faces of k are packed.
    const double row = static_cast<double>(d == 2 ? grid.extents[2] : grid.pitch);
    const double values = row * grid.elements_wanted() / static_cast<double>(grid.pitch) *
                          subdomain.halo / static_cast<double>(grid.extents[d]);
    for (const int side : {-1, 1})
      if (subdomain.neighbour(static_cast<int>(d), side))
        bytes += 2 * whole(values * static_cast<double>(bytes_of_value), message_line);
  }
  return want_huge_pages(transport, bytes) ? whole(bytes, huge_page) : bytes;
}

template <class Exec, class Value>
Halo<Exec, Value>::Halo(const Subdomain& subdomain, Transport transport, MemorySpace p,
                        const Communicator& communicator, GpuPaths gpu)
    : subdomain_(subdomain),
      transport_(transport),
      space_(p),
      communicator_(communicator),
      gpu_(std::move(gpu)) {
  for (int d = 0; d < 3; ++d)
    for (const int side : {-1, 1})
      if (const auto peer = subdomain.neighbour(d, side))
        faces_.push_back({d, side, *peer, halo_layer(subdomain, d, side, false, sizeof(Value)),
                          halo_layer(subdomain, d, side, true, sizeof(Value))});
  if (gpu_.peers && needed()) peer_.emplace(subdomain, sizeof(Value), gpu_.peers);
  const bool in_place = from_p();
  const auto packed = [&](const Face& face) { return !peer_ && (face.direction > 0 || !in_place); };
  const auto room = [&](const Face& face) {  // values
    constexpr std::size_t line = message_line / sizeof(Value);
    return (bytes(face) / sizeof(Value) + line - 1) / line * line;
  };
  std::size_t all = 0;
  for (const Face& face : faces_)
    if (packed(face)) all += 2 * room(face);
  if (all == 0) return;
  MemoryKind kind = message_memory(executor_of<Exec>, transport_);
  std::size_t size = all * sizeof(Value);
  if (want_huge_pages(transport_, static_cast<double>(size)))
    size = (size + huge_page - 1) / huge_page * huge_page;
  else
    kind.pages = Pages::Default;
  messages_.emplace(kind, size, "halo");
  Value* next = static_cast<Value*>(messages_->data());
  for (Face& face : faces_)
    if (packed(face)) {
      face.outgoing = next;
      face.incoming = next + room(face);
      next += 2 * room(face);
    }
}

template <class Exec, class Value>
Halo<Exec, Value>::~Halo() {
  gpu_.connect({});
}

template <class Exec, class Value>
bool Halo<Exec, Value>::from_p() const {
  return executor_of<Exec> == Executor::Host ||
         space_ == message_memory(executor_of<Exec>, transport_).space;
}

template <class Exec, class Value>
bool Halo<Exec, Value>::copies() const {
  const double plane = static_cast<double>(subdomain_.global[1]) *
                       static_cast<double>(subdomain_.grid.pitch * sizeof(Value));
  return executor_of<Exec> == Executor::Device && subdomain_.ranks[2] == 1 &&
         carried_by_copies(transport_, space_) &&
         plane < static_cast<double>(std::numeric_limits<std::int32_t>::max());
}

template <class Exec, class Value>
EdgesFirst Halo<Exec, Value>::edges_first(int sweeps) const {
  const bool one_queue = executor_of<Exec> == Executor::Host;
  if (!needed() || one_queue || (sweeps > 1 && !goes_beside())) return EdgesFirst::No;
  // Stores take less than fused sweeps lose by making edges early; and a short sweep and one kernel
  // that stores take less than two kernels and their events.
  constexpr std::int64_t few_points = 1'500'000;
  if (peer_ && (sweeps > 1 || subdomain_.grid.owned.points() < few_points)) return EdgesFirst::No;
  return sweeps > 1 && transport_ == Transport::Staged ? EdgesFirst::Soonest : EdgesFirst::Yes;
}

template <class Exec, class Value>
std::size_t Halo<Exec, Value>::bytes(const Face& face) const {
  if (by_copy(face)) return face.send.pieces.bytes * face.send.pieces.count;
  return static_cast<std::size_t>(face.send.box.points()) * sizeof(Value);
}

template <class Exec, class Value>
Message Halo<Exec, Value>::message(const Face& face, Value* p) const {
  // A message that goes up arrives from below: the tag is the direction it travels in.
  const int up = face.side > 0 ? 1 : 0;
  const std::size_t size = bytes(face);
  return {.peer = face.peer,
          .send_tag = 2 * face.direction + up,
          .receive_tag = 2 * face.direction + 1 - up,
          .send = face.outgoing != nullptr ? face.outgoing : p + face.send.first,
          .receive = face.incoming != nullptr ? face.incoming : p + face.receive.first,
          .send_bytes = size,
          .receive_bytes = size};
}

template <class Exec, class Value>
void Halo<Exec, Value>::pack(const Face& face, const Value* p, const Exec& queue) const {
  const auto& [box, first, step, pieces] = face.send;
  if (face.outgoing == nullptr) return;
  // p in system-allocated memory is not pinned: then CUDA copies too, but the host may wait for it.
  if (by_copy(face))
    start_copy(face.outgoing, pieces.bytes, p + first, step, pieces, stream_of(queue));
  else
    memstencil::pack(queue, subdomain_.grid, box, p, face.outgoing);
}

template <class Exec, class Value>
void Halo<Exec, Value>::unpack(const Face& face, Value* p, const Exec& queue) const {
  const auto& [box, first, step, pieces] = face.receive;
  if (face.incoming == nullptr) return;
  if (by_copy(face))
    start_copy(p + first, step, face.incoming, pieces.bytes, pieces, stream_of(queue));
  else
    memstencil::unpack(queue, subdomain_.grid, box, static_cast<const Value*>(face.incoming), p);
}

template <class Exec, class Value>
void Halo<Exec, Value>::exchange_and_wait(Value* p) const {
  const Exec queue;
  exchange(p, queue);
  wait_for(queue, gpu_.messages.get());
}

template <class Exec, class Value>
void Halo<Exec, Value>::exchange(Value* p, const Exec& queue) const {
  if (peer_) return peer_->store(p, stream_of(queue));
  for (int d = 0; d < 3; ++d) {
    std::vector<Message> messages;
    for (const Face& face : faces_)
      if (face.direction == d) {
        pack(face, p, queue);
        messages.push_back(message(face, p));
      }
    if (messages.empty()) continue;
    if (gpu_.messages) {
      gpu_.messages->exchange(messages, stream_of(queue));
    } else {
      queue.fence("grid: halo");
      communicator_.exchange(messages);
    }
    for (const Face& face : faces_)
      if (face.direction == d) unpack(face, p, queue);
  }
}

template <class Exec, class Value>
void Halo<Exec, Value>::connect(Value* p, Value* p_next,
                                const std::array<const Buffer*, 2>& memory) {
  std::vector<const Buffer*> buffers;
  if (from_p()) buffers.assign(memory.begin(), memory.end());
  if (messages_) buffers.push_back(&*messages_);
  gpu_.connect(buffers);
  begin(p, p_next);
}

template <class Exec, class Value>
void Halo<Exec, Value>::begin(Value* p, Value* p_next) const {
  exchange_and_wait(p);
  if (peer_) exchange_and_wait(p_next);
}

template <class Exec, class Value>
double Halo<Exec, Value>::seconds_alone(Value* p) const {
  constexpr int times = 5;
  double least = std::numeric_limits<double>::infinity();
  for (int n = 0; n < times; ++n) {
    communicator_.barrier();
    const double own = host_seconds([&] { exchange_and_wait(p); });
    least = std::min(least, communicator_.maximum(own));
  }
  return least;
}

#define MEMSTENCIL_INSTANTIATE(Exec) \
  template class Halo<Exec, float>;  \
  template class Halo<Exec, double>;
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil
