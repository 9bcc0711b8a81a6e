// The halo exchange between the ranks of a Cartesian decomposition.
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "app/common/ranks/gpu_exchange.hpp"
#include "app/himeno/options.hpp"
#include "app/himeno/problem.hpp"
#include "memory_spaces/buffer.hpp"

#include <memory>
#include <vector>

namespace memstencil::himeno {

/// Bytes of one rank's messages, both ways, with all its neighbours.
double halo_bytes(const Subdomain& subdomain);

/// One direction after the other, each slab as wide as the local arrays, what the direction before
/// has brought included: six messages bring faces, edges and corners.
template <class Exec>
class Halo {
public:
  /// Messages go by `gpu` where it is given, otherwise by MPI, out of host memory where the path is Staged.
  Halo(const Exec& exec, const Subdomain& part, HaloPath path, const Communicator& communicator,
       std::shared_ptr<GpuExchange> gpu = nullptr);

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

  Exec exec_;
  jacobi::Grid grid_;
  const Communicator& communicator_;
  std::shared_ptr<GpuExchange> gpu_;
  std::vector<Face> faces_;
};

}  // namespace memstencil::himeno
