// The halo exchange between the ranks of a Cartesian decomposition.
#include "app/himeno/halo.hpp"

#include "app/common/runtime/execution.hpp"
#include "app/placement/place.hpp"
#include "kernels/jacobi/boxes.hpp"

#include <utility>

namespace memstencil::himeno {

namespace {

/// The slab of `width` points at one side of a direction, over the whole local array in the others:
/// inside the owned points (to send) or outside them (to receive).
jacobi::Box slab(const jacobi::Grid& grid, int direction, int side, int width, bool inside) {
  jacobi::Box box{{0, 0, 0}, {grid.extents[0], grid.extents[1], grid.extents[2]}};
  const std::int64_t edge = side < 0 ? grid.owned.lo[direction] : grid.owned.hi[direction];
  const bool above = (side > 0) != inside;
  box.lo[direction] = above ? edge : edge - width;
  box.hi[direction] = above ? edge + width : edge;
  return box;
}

}  // namespace

double halo_bytes(const Subdomain& part) {
  double bytes = 0;
  for (int d = 0; d < 3; ++d)
    for (const int side : {-1, 1})
      if (part.neighbour(d, side))
        bytes += 2 * sizeof(float) * static_cast<double>(slab(part.grid, d, side, part.halo, true).points());
  return bytes;
}

template <class Exec>
Halo<Exec>::Halo(const Exec& exec, const Subdomain& part, HaloPath path, const Communicator& communicator,
                 std::shared_ptr<GpuExchange> gpu)
    : exec_(exec), grid_(part.grid), communicator_(communicator), gpu_(std::move(gpu)) {
  const MemorySpace space = message_space(executor_of<Exec>, path != HaloPath::Staged);
  for (int d = 0; d < 3; ++d)
    for (const int side : {-1, 1})
      if (const auto peer = part.neighbour(d, side)) {
        const jacobi::Box send = slab(grid_, d, side, part.halo, true);
        const jacobi::Box receive = slab(grid_, d, side, part.halo, false);
        const std::size_t bytes = static_cast<std::size_t>(send.points()) * sizeof(float);
        faces_.push_back({d, side, *peer, send, receive, Buffer(space, bytes), Buffer(space, bytes)});
      }
}

template <class Exec>
std::vector<Message> Halo<Exec>::messages(int direction) const {
  std::vector<Message> out;
  for (const Face& face : faces_)
    // A message that goes up arrives from below: the tag is the direction it travels in.
    if (face.direction == direction)
      out.push_back({.peer = face.peer,
                     .send_tag = 2 * direction + (face.side > 0 ? 1 : 0),
                     .receive_tag = 2 * direction + (face.side > 0 ? 0 : 1),
                     .send = face.outgoing.data(),
                     .receive = face.incoming.data(),
                     .send_bytes = face.outgoing.bytes(),
                     .receive_bytes = face.incoming.bytes()});
  return out;
}

template <class Exec>
void Halo<Exec>::carry(const std::vector<Message>& messages) const {
  if (messages.empty()) return;
  if (gpu_) return gpu_->exchange(messages);  // it stands in the kernels' stream: nothing to wait for
  exec_.fence("himeno: halo");
  communicator_.exchange(messages);
}

template <class Exec>
void Halo<Exec>::wait() const {
  if (gpu_) return gpu_->wait();
  exec_.fence("himeno: halo");
}

template <class Exec>
void Halo<Exec>::connect() const {
  for (int d = 0; d < 3; ++d) carry(messages(d));
  wait();
}

template <class Exec>
void Halo<Exec>::exchange(float* p) const {
  for (int d = 0; d < 3; ++d) {
    for (const Face& face : faces_)
      if (face.direction == d)
        jacobi::pack(exec_, grid_, face.send, p, static_cast<float*>(face.outgoing.data()));
    carry(messages(d));
    for (const Face& face : faces_)
      if (face.direction == d)
        jacobi::unpack(exec_, grid_, face.receive, static_cast<const float*>(face.incoming.data()), p);
  }
  wait();
}

#define MEMSTENCIL_INSTANTIATE(Exec) template class Halo<Exec>;
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::himeno
