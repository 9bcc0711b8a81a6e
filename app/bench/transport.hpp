// The transport: how messages between ranks travel. Which one a run can use, and why not another.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/bench/placement.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace memstencil {

enum class Transport {
  None,    ///< one rank sends nothing
  Device,  ///< MPI, from buffers of the device
  Staged,  ///< MPI, from host-pinned buffers that kernels and copies reach; on a host from its own
  Nccl,    ///< NCCL, from GPU to GPU
  Peer,    ///< no messages: kernels store into the device memory of other GPUs of the node
};
/// Those that several ranks can be asked to use.
inline constexpr std::array all_transports{Transport::Device, Transport::Staged, Transport::Nccl,
                                           Transport::Peer};
/// "none", "device", "staged", "nccl", "peer"
std::string_view name(Transport transport);

/// Does data go from GPU to GPU without MPI?
constexpr bool carried_by_gpus(Transport transport) {
  return transport == Transport::Nccl || transport == Transport::Peer;
}
/// Do GPUs of other ranks map this rank's arrays? For peer they do; for device MPI has them do so.
constexpr bool maps_arrays(Transport transport) {
  return transport == Transport::Peer || transport == Transport::Device;
}
/// Why kernels of other GPUs cannot store into arrays of this memory; empty if they can.
std::string why_not_stored_into(const MemoryKind& memory);
/// The memory in which the executor's kernels pack messages: its own memory, or the host's that
/// copies pass through for staged ones.
MemoryKind message_memory(Executor executor, Transport transport);

/// Declares an option ("--halo") that names a transport; nothing stands for auto.
void declare_transport(CommandLine& line, const std::string& option,
                       std::optional<Transport>& transport);

/// Why the ranks cannot use a transport, the same on all ranks; empty if they can. MPI's word on
/// device pointers is believed. Collective.
std::string why_not_transport(Transport transport, const Placement& placement,
                              const Communicator& ranks);
using WhyNotTransport =
    std::function<std::string(Transport, const Placement&, const Communicator& ranks)>;

/// The transport that all ranks use: the one that `option` ("--halo") asks for, otherwise the first
/// of peer, device, nccl and staged that all can use. One rank has none, also where the option asks
/// for one. Collective.
/// @param why_not for tests: another why_not_transport()
/// @throws CollectiveFailure(Machine) that names the option, for a transport asked for and refused
Transport agreed_transport(const std::string& option, std::optional<Transport> asked,
                           const Placement& placement, const Communicator& ranks,
                           const WhyNotTransport& why_not = why_not_transport);

/// Connects the GPUs of several ranks if they carry the messages. With NCCL that takes seconds, and
/// they belong to no phase, as MPI's start. Kokkos must have started. Collective.
/// @throws CollectiveFailure(Machine) with NCCL's or CUDA's words
GpuPaths connect(const std::string& option, Transport transport, const Communicator& communicator);

}  // namespace memstencil
