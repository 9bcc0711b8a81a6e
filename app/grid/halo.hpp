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
#include <memory>
#include <optional>
#include <vector>

namespace memstencil {

/// The most bytes that a Halo allocates for its messages, both ways, with all neighbours. It takes
/// fewer where planes of i are sent from p, and where rows are packed without their pads.
double halo_bytes(const Subdomain& subdomain, Transport transport, std::size_t bytes_of_value);

/// Do a GPU's copy engines carry the messages of fused sweeps, as far as none go along k?
bool carried_by_copies(Transport transport, MemorySpace p);

/// One direction after the other, each layer as wide as the local arrays, what the direction
/// before has brought included: six messages bring faces, edges and corners. Layers of i are whole
/// planes, which lie in one piece: they are sent and received where they are, or cross to the
/// host by copy; others are packed. A GPU's copy engines do all of that, while its kernels have
/// every multiprocessor, where no messages go along k: rows of j lie in one piece a plane.
///
/// From GPU to GPU of a node there are no messages: each rank stores its points straight into the
/// halos of all ranks around it, in no order: by one kernel, or beside the sweeps that make them.
template <class Exec, class Value>
class Halo {
public:
  /// Messages go by `gpu` where it is given, otherwise by MPI, out of host memory where the
  /// transport is Staged. `p` is where the fields lie that will be exchanged.
  Halo(const Subdomain& subdomain, Transport transport, MemorySpace p,
       const Communicator& communicator, std::shared_ptr<GpuExchange> gpu = nullptr);

  /// Does this rank have a neighbour?
  bool needed() const { return !faces_.empty(); }
  /// Do stores take the place of messages?
  bool stores() const { return !stores_.empty(); }
  /// Can it go on beside a kernel that has every multiprocessor: by copies, or by stores that the
  /// kernel makes itself?
  bool goes_beside() const { return copies() || stores(); }
  /// When a pass of so many sweeps should make the points that it sends.
  EdgesFirst edges_first(int sweeps) const;
  /// Tells the GPUs' exchange of both p, and begin()s: a library connects two ranks when they first
  /// speak. Returns when all messages have come, as do all others. Collective.
  /// @param memory the buffers in which both p lie, and which outlive this
  void connect(Value* p, Value* p_next, const std::array<const Buffer*, 2>& memory);
  /// What the passes after it need: p's halo, and the fixed boundary in that of p_next, which
  /// sweeps that store what they make do not bring. In the default instance; waits for the
  /// messages.
  void begin(Value* p, Value* p_next) const;
  /// Brings the neighbours' owned points into p's halo, after the kernels of the queue. Between
  /// GPUs it returns at once; by MPI when the messages have come.
  void exchange(Value* p, const Exec& queue) const;
  /// What a pass that makes p can store itself in place of exchange(). Only where there are
  /// stores().
  std::vector<HaloStore> stores_beside(Value* p) const;
  /// After it: tells the others of its stores, and has the queue wait until they tell of theirs.
  /// @param beside the pass may go on and have every multiprocessor: the queue tells, without a
  ///        kernel. Where the pass has ended, a kernel takes less time.
  void tell_stored(bool beside, const Exec& queue) const;
  /// The same in the default instance, and waits for the messages.
  void exchange_and_wait(Value* p) const;
  /// Seconds of an exchange that nothing else goes on beside: the least of some. Collective.
  double seconds_alone(Value* p) const;
  /// @throws Failure where a message failed, and never ends
  void look() const {
    if (gpu_) gpu_->look();
  }

private:
  struct Face {
    int direction, side, peer;
    HaloLayer send, receive;
    Value* outgoing = nullptr;  ///< null where messages go from p and to p
    Value* incoming = nullptr;
  };
  Message message(const Face& face, Value* p) const;
  void pack(const Face& face, const Value* p, const Exec& queue) const;
  void unpack(const Face& face, Value* p, const Exec& queue) const;
  void carry(const std::vector<Message>& messages, const Exec& queue) const;
  /// What this rank stores, at offsets in bytes in p here and there.
  struct Store {
    Box box;  ///< here
    StoredRows rows;
    std::size_t from, to;
  };
  std::vector<StoredRows> stores_of(Value* p) const;
  bool by_copy(const Face& face) const { return face.direction == 0 || copies(); }
  /// Are whole planes sent from p, and into p?
  bool from_p() const;
  /// Do copies take the place of kernels that pack?
  bool copies() const;
  std::size_t bytes(const Face& face) const;
  void allocate_messages(std::size_t bytes);

  Subdomain subdomain_;
  Transport transport_;
  MemorySpace space_;  ///< of p
  const Communicator& communicator_;
  std::shared_ptr<GpuExchange> gpu_;
  std::vector<Face> faces_;
  std::vector<Store> stores_;              ///< in place of messages
  std::optional<Buffer> messages_;         ///< of all faces that need one
  std::array<const Buffer*, 2> memory_{};  ///< of both p, which are enrolled first
  std::vector<std::shared_ptr<void>> enrolled_;
};

}  // namespace memstencil
