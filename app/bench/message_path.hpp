// The way that messages between ranks go: which one a run can take, and why not another.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/bench/placement.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace memstencil {

/// MPI from buffers of the device; MPI from host-pinned ones that kernels write and read (on a host
/// both are the same memory); NCCL from GPU to GPU; stores of a kernel into the other GPU's memory,
/// on one node; or the first of peer, device, nccl and staged that all ranks can use.
enum class MessagePath { Auto, Device, Staged, Nccl, Peer };
inline constexpr std::array all_message_paths{MessagePath::Auto, MessagePath::Device,
                                              MessagePath::Staged, MessagePath::Nccl,
                                              MessagePath::Peer};
/// "auto", "device", "staged", "nccl", "peer"
std::string_view name(MessagePath path);

/// The help of an option that names a path.
inline constexpr const char* message_path_help =
    "Messages between ranks: by MPI from device memory, by MPI staged in host memory, by NCCL from "
    "GPU to GPU, or by stores into the memory of other GPUs of the node (peer); auto: the first of "
    "peer, device, nccl, staged that all ranks can";

/// Why the ranks' messages cannot take a path, the same on all ranks; empty if they can. What MPI
/// says of device pointers is believed. Collective.
std::string why_not_path(MessagePath path, const Placement& placement, const Communicator& ranks);
using WhyNotPath =
    std::function<std::string(MessagePath, const Placement&, const Communicator& ranks)>;

/// The path that all ranks take, where `option` ("--halo") asks for one; of one rank never Auto
/// either. Collective.
/// @param why_not for tests: another why_not_path()
/// @throws CollectiveFailure(Machine) that names the option, for a path asked for and refused
MessagePath message_path(const std::string& option, MessagePath asked, const Placement& placement,
                         const Communicator& ranks, const WhyNotPath& why_not = why_not_path);

/// Do GPUs of other ranks map the arrays that messages come from? For peer they do, and so does MPI
/// for what it takes from device memory.
bool mapped_by_ranks(MessagePath path, const Communicator& ranks);

/// Connects the GPUs of several ranks where they carry the messages: with NCCL seconds that belong
/// to no phase, as those of MPI's start. Kokkos must have started. Collective.
/// @throws CollectiveFailure(Machine) with NCCL's or CUDA's words
std::shared_ptr<GpuExchange> connect(const std::string& option, MessagePath path,
                                     const Communicator& communicator);

}  // namespace memstencil
