// The halo exchange between the ranks of a Cartesian decomposition.
#pragma once

#include "app/common/communicator.hpp"
#include "app/himeno/kernels.hpp"
#include "app/himeno/problem.hpp"
#include "app/himeno/setup.hpp"
#include "memory_spaces/buffer.hpp"

#include <memory>
#include <vector>

namespace memstencil::himeno {

/// Bytes of one rank's messages, both ways, with all its neighbours.
double halo_bytes(const Subdomain& subdomain);

/// One direction after the other, each slab as wide as the local arrays, what the direction before
/// has brought included: six messages bring faces, edges and corners.
class Halo {
public:
  /// Whose messages go the way of setup.halo. On the host executor they are in plain host memory.
  Halo(const Setup& setup, const Communicator& communicator);

  /// Does this rank have a neighbour?
  bool needed() const { return !faces_.empty(); }
  /// Sends every message once, whatever is in it: the library connects two ranks when they first speak.
  void connect() const;
  /// Brings the neighbours' owned points into p's halo, after the kernels before it; returns when they are
  /// there.
  void exchange(float* p) const;

private:
  struct Face {
    int direction, side, peer;
    jacobi::Box send, receive;
    Buffer outgoing, incoming;
  };
  std::vector<Message> messages(int direction) const;
  void carry(const std::vector<Message>& messages) const;
  void wait() const;

  jacobi::Grid grid_;
  const Communicator& communicator_;
  const Kernels& kernels_;
  std::shared_ptr<GpuExchange> gpu_;  ///< where it carries the messages
  std::vector<Face> faces_;
};

}  // namespace memstencil::himeno
