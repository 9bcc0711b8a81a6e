// The way that messages between ranks go: which one a run can take, and why not another.
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "app/common/ranks/peer_exchange.hpp"
#include "app/placement/message_probe.hpp"
#include "app/placement/placement.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace memstencil {

/// MPI from buffers of the device; MPI from host-pinned ones that kernels write and read (on a host
/// both are the same memory); NCCL from GPU to GPU; stores of a kernel into the other GPU's memory,
/// on one node; or the fastest of them.
enum class MessagePath { Auto, Device, Staged, Nccl, Peer };
inline constexpr std::array all_message_paths{MessagePath::Auto, MessagePath::Device,
                                              MessagePath::Staged, MessagePath::Nccl,
                                              MessagePath::Peer};
/// "auto", "device", "staged", "nccl", "peer"
std::string_view name(MessagePath path);

/// The help of an option that names a path.
/// @param first the path that auto prefers, Device or Nccl
std::string message_path_help(MessagePath first);

/// The way that `option` ("--halo") asks for, as far as one rank can tell: any but Auto,
/// which is Device where MPI takes device pointers, otherwise Staged; agreed_path()
/// prefers others to that.
/// @throws Failure(Machine) that names the option
MessagePath message_path(const std::string& option, MessagePath asked, const Placement& placement);

/// The path that all ranks take, and a note for the user, which may be empty.
struct AgreedPath {
  MessagePath path = MessagePath::Staged;
  std::string note;
};

/// A first message that proves a path: the reason why it fails, the same on all ranks, or nothing.
using Proof = std::function<std::string(const Communicator&)>;
struct Proofs {
  Proof device = refuse_device_messages;
  Proof peer = refuse_peer_exchange;
};

/// One path for all ranks, from what message_path() gave on each (`own`). Peer and Device messages
/// are proved first; if that fails, Auto takes another path. Auto prefers Peer to all others where
/// each rank has a GPU of its own. It prefers NCCL to staged messages if every one of several ranks
/// has it; to device messages, too, where `first` is Nccl. Collective.
/// @throws CollectiveFailure(Machine) that names the option, for messages asked for that fail
AgreedPath agreed_path(const std::string& option, MessagePath asked, MessagePath own,
                       const Placement& placement, const Communicator& communicator,
                       MessagePath first = MessagePath::Device, const Proofs& proofs = {});

/// Connects the GPUs of several ranks where they carry the messages: with NCCL seconds that belong
/// to no phase, as those of MPI's start. Kokkos must have started. Collective.
/// @throws CollectiveFailure(Machine) with NCCL's or CUDA's words
std::shared_ptr<GpuExchange> connect(const std::string& option, MessagePath path,
                                     const Communicator& communicator);

}  // namespace memstencil
