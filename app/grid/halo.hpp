// The halo exchange between the ranks of a Cartesian decomposition.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/bench/transport.hpp"
#include "app/grid/halo_layer.hpp"
#include "app/grid/subdomain.hpp"
#include "kernels/grid/sweep.hpp"
#include "memory_spaces/buffer.hpp"

#include <array>
#include <optional>
#include <vector>

namespace memstencil {

/// The most bytes that a Halo allocates for its messages, both ways, with all neighbours. It takes
/// fewer if planes of i are sent from p, and if rows are packed without their pads.
double halo_bytes(const Subdomain& subdomain, Transport transport, std::size_t bytes_of_value);

/// Do a GPU's copy engines carry the messages of fused sweeps, as far as none go along k?
bool carried_by_copies(Transport transport, MemorySpace p);

/// One direction after the other, each layer as wide as the local arrays, with the points that the
/// direction before has brought: six messages bring faces, edges and corners. Layers of i are whole
/// planes, which lie in one piece: they are sent and received where they are, or cross to the
/// host by copy; others are packed. A GPU's copy engines do all of that, while its kernels have
/// every multiprocessor, if no messages go along k: rows of j lie in one piece a plane.
///
/// By the transport Peer there are no messages: PeerHalo stores by one kernel, or sweeps store the
/// points that they make.
template <class Exec, class Value>
class Halo {
public:
  /// @param p the memory of the fields that will be exchanged
  /// @param gpu of the transport: connect(); otherwise MPI carries messages, out of host memory for
  ///        Staged
  Halo(const Subdomain& subdomain, Transport transport, MemorySpace p,
       const Communicator& communicator, GpuPaths gpu = {});
  /// Collective for Nccl and Peer.
  ~Halo();
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  /// Does this rank have a neighbour?
  bool needed() const { return !faces_.empty(); }
  /// The stores that take the place of messages; null for other transports.
  const PeerHalo* peer() const { return peer_ ? &*peer_ : nullptr; }
  /// Can it go on while a kernel has every multiprocessor: by copies, or by stores that the kernel
  /// makes itself?
  bool goes_beside() const { return copies() || peer_; }
  /// When a pass of `sweeps` sweeps should make the points that it sends.
  EdgesFirst edges_first(int sweeps) const;
  /// Names the buffers to the GPUs' paths, and begin()s: a library connects two ranks at their
  /// first message. Collective.
  /// @param memory the buffers of both p, which outlive this
  void connect(Value* p, Value* p_next, const std::array<const Buffer*, 2>& memory);
  /// Brings p's halo, and for stores p_next's, too: the fixed boundary in it, which sweeps that
  /// store their points do not bring. In the default instance; waits for the messages.
  void begin(Value* p, Value* p_next) const;
  /// Brings the neighbours' owned points into p's halo, after the kernels of the queue. Between
  /// GPUs it returns at once; by MPI when the messages have come.
  void exchange(Value* p, const Exec& queue) const;
  /// The same in the default instance, and waits for the messages.
  void exchange_and_wait(Value* p) const;
  /// Seconds of an exchange while nothing else runs: the least of some. Collective.
  double seconds_alone(Value* p) const;
  /// @throws Failure if a message failed, and never ends
  void look() const {
    if (gpu_.messages) gpu_.messages->look();
  }

private:
  struct Face {
    int direction, side, peer;
    HaloLayer send, receive;
    Value* outgoing = nullptr;  ///< null if messages go from p and to p
    Value* incoming = nullptr;
  };
  Message message(const Face& face, Value* p) const;
  void pack(const Face& face, const Value* p, const Exec& queue) const;
  void unpack(const Face& face, Value* p, const Exec& queue) const;
  bool by_copy(const Face& face) const { return face.direction == 0 || copies(); }
  /// Are whole planes sent from p, and into p?
  bool from_p() const;
  /// Do copies take the place of kernels that pack?
  bool copies() const;
  std::size_t bytes(const Face& face) const;

  Subdomain subdomain_;
  Transport transport_;
  MemorySpace space_;  ///< of p
  const Communicator& communicator_;
  GpuPaths gpu_;
  std::vector<Face> faces_;
  std::optional<PeerHalo> peer_;
  std::optional<Buffer> messages_;  ///< of all faces that need one
};

}  // namespace memstencil
