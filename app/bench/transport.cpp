// The transport: how messages between ranks travel. Which one a run can use, and why not another.
#include "app/bench/transport.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace memstencil {

namespace {

/// Why this rank's messages cannot use the transport; empty if they can.
std::string why_not_own(Transport transport, const Placement& placement) {
  if (transport == Transport::Staged) return {};
  if (placement.executor == Executor::Host) return "the kernels run on the host";
  if (transport == Transport::Device && !Communicator::gpu_aware())
    return fmt::format("this MPI ({}) does not say that it takes device pointers",
                       Communicator::library());
  // A kernel of `peer` waits for another rank's, and CUDA does not promise that kernels of two
  // processes run at the same time.
  if (carried_by_gpus(transport) && placement.ranks_of_gpu > 1)
    return fmt::format("{} ranks share a GPU, and {} takes one rank a GPU", placement.ranks_of_gpu,
                       transport == Transport::Nccl ? "NCCL" : "peer");
  if (transport == Transport::Peer) return why_not_stored_into(placement.kind());
  return transport == Transport::Nccl ? why_not_gpu_exchange() : std::string();
}

}  // namespace

std::string_view name(Transport transport) {
  constexpr std::array names{"none", "device", "staged", "nccl", "peer"};
  return names.at(static_cast<std::size_t>(transport));
}

std::string why_not_stored_into(const MemoryKind& memory) {
  if (memory.allocation == Allocation::Compressible)
    return "no other process can map compressible memory";
  if (home(memory.space) == Home::Gpu) return {};
  return fmt::format("peer stores into device memory; {} arrays take device, nccl or staged",
                     name(memory.space));
}

MemoryKind message_memory(Executor executor, Transport transport) {
  return carried_by_gpus(transport) || transport == Transport::Device
             ? MemoryKind(scratch_space(executor))
             : transfer_memory(executor);
}

void declare_transport(CommandLine& line, const std::string& option,
                       std::optional<Transport>& transport) {
  line.choice_or("auto", option, transport, all_transports,
                 "Messages between ranks\n"
                 "auto: the first of peer, device, nccl, staged that all ranks can use\n"
                 "device: by MPI from device memory\n"
                 "staged: by MPI from host memory\n"
                 "nccl: by NCCL from GPU to GPU\n"
                 "peer: none: kernels store into the memory of the node's other GPUs");
}

std::string why_not_transport(Transport transport, const Placement& placement,
                              const Communicator& ranks) {
  std::string reason;
  for (const std::string& own : ranks.all_gather(why_not_own(transport, placement)))
    if (reason.empty()) reason = own;
  const bool try_peer = reason.empty() && transport == Transport::Peer && ranks.size() > 1;
  return try_peer ? why_not_peers(ranks) : reason;
}

Transport agreed_transport(const std::string& option, std::optional<Transport> asked,
                           const Placement& placement, const Communicator& ranks,
                           const WhyNotTransport& why_not) {
  if (asked)
    if (const std::string reason = why_not(*asked, placement, ranks); !reason.empty())
      throw CollectiveFailure(ExitCode::Machine, fmt::format("{0} {1}: {2}; use {0} staged", option,
                                                             name(*asked), reason));
  if (ranks.size() == 1) return Transport::None;
  if (asked) return *asked;
  for (const Transport each : {Transport::Peer, Transport::Device, Transport::Nccl})
    if (why_not(each, placement, ranks).empty()) return each;
  return Transport::Staged;
}

GpuPaths connect(const std::string& option, Transport transport, const Communicator& communicator) {
  if (communicator.size() == 1 || !carried_by_gpus(transport)) return {};
  try {
    if (transport == Transport::Peer)
      return {.messages = nullptr, .peers = make_peers(communicator)};
    return {.messages = make_gpu_exchange(communicator), .peers = nullptr};
  } catch (const CollectiveFailure& failure) {
    throw CollectiveFailure(failure.code(),
                            fmt::format("{}; {} staged does without it", failure.what(), option));
  }
}

}  // namespace memstencil
