// The halo exchange between the ranks of a Cartesian decomposition.
#pragma once

#include "app/common/communicator.hpp"
#include "app/himeno/halo_path.hpp"
#include "app/himeno/kernels.hpp"
#include "app/himeno/problem.hpp"
#include "memory_spaces/buffer.hpp"

#include <vector>

namespace memstencil::himeno {

/// Bytes of one rank's messages, both ways, with all its neighbours.
double halo_bytes(const Subdomain& subdomain);

/// One direction after the other, each slab as wide as the local arrays, what the direction before
/// has brought included: six messages bring faces, edges and corners.
class Halo {
public:
  /// `path` is Device or Staged. On the host executor both are plain host memory.
  Halo(const Subdomain& subdomain, const Communicator& communicator, Executor executor, HaloPath path);

  /// Does this rank have a neighbour?
  bool needed() const { return !faces_.empty(); }
  /// Brings the neighbours' owned points into p's halo. Waits for the kernels before it.
  void exchange(float* p) const;

private:
  struct Face {
    int direction, side, peer;
    jacobi::Box send, receive;
    Buffer outgoing, incoming;
  };
  void exchange_direction(int direction, float* p) const;

  jacobi::Grid grid_;
  const Communicator& communicator_;
  const Kernels& kernels_;
  std::vector<Face> faces_;
};

}  // namespace memstencil::himeno
