// The way that messages between ranks go: which one a run can take, and why not another.
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "app/common/ranks/gpu_exchange.hpp"
#include "app/placement/message_probe.hpp"
#include "app/placement/placement.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace memstencil {

/// MPI from buffers of the device; MPI from host-pinned ones that kernels write and read (on a host
/// both are the same memory); NCCL from GPU to GPU; or the fastest of them.
enum class MessagePath { Auto, Device, Staged, Nccl };
inline constexpr std::array all_message_paths{MessagePath::Auto, MessagePath::Device,
                                              MessagePath::Staged, MessagePath::Nccl};
/// "auto", "device", "staged", "nccl"
std::string_view name(MessagePath path);

/// The help of an option that names a path.
/// @param first the path that auto prefers, Device or Nccl
std::string message_path_help(MessagePath first);

/// The way that `option` ("--halo") asks for, as far as one rank can tell: Device, Staged
/// or Nccl. Auto is Device where MPI takes device pointers, otherwise Staged;
/// agreed_path() prefers NCCL to that.
/// @throws Failure(Machine) that names the option
MessagePath message_path(const std::string& option, MessagePath asked, const Placement& placement);

/// The path that all ranks take, and a note for the user, which may be empty.
struct AgreedPath {
  MessagePath path = MessagePath::Staged;
  std::string note;
};

/// One path for all ranks, from what message_path() gave on each (`own`). Device messages are
/// proved first; if that fails, Auto takes another path. Auto prefers NCCL to staged messages if
/// every one of several ranks has it; to device messages, too, where `first` is Nccl. Collective.
/// @param refuse_device refuse_device_messages(), or a test's
/// @throws CollectiveFailure(Machine) that names the option, for Device messages that fail
AgreedPath agreed_path(
    const std::string& option, MessagePath asked, MessagePath own, const Placement& placement,
    const Communicator& communicator, MessagePath first = MessagePath::Device,
    const std::function<std::string(const Communicator&)>& refuse_device = refuse_device_messages);

/// Starts NCCL where it carries the messages of several ranks: seconds that belong to no phase, as
/// those of MPI's start. Kokkos must have started. Collective.
/// @throws CollectiveFailure(Machine) with NCCL's words
std::shared_ptr<GpuExchange> connect(const std::string& option, MessagePath path,
                                     const Communicator& communicator);

}  // namespace memstencil
