// The way that messages between ranks go: which one a run can take, and why not another.
#include "app/placement/message_path.hpp"

#include "app/common/ranks/collectively.hpp"
#include "app/placement/place.hpp"

#include <fmt/format.h>

namespace memstencil {

namespace {

/// The reason why no GPU sends messages here; empty where kernels run on one.
std::string refuse_host(const std::string& option, const Placement& placement) {
  if (placement.executor == Executor::Device) return {};
  return fmt::format("the kernels run on the host; use {} staged", option);
}

/// The reason why this MPI cannot send from device memory; empty if it can.
std::string refuse_device(const std::string& option) {
  if (Communicator::gpu_aware()) return {};
  return fmt::format(
      "this MPI ({}) does not say that it takes device pointers; use {} nccl or {} staged",
      Communicator::library(), option, option);
}

/// The reason why NCCL cannot carry this rank's messages; empty if it can. It takes one rank a GPU.
std::string refuse_nccl(const std::string& option, const Placement& placement) {
  if (std::string host = refuse_host(option, placement); !host.empty()) return host;
  if (placement.ranks_of_gpu > 1)
    return fmt::format(
        "{} ranks share a GPU, and NCCL takes one rank a GPU; start fewer ranks, or use {} staged",
        placement.ranks_of_gpu, option);
  const std::string missing = refuse_gpu_exchange();
  return missing.empty() ? "" : fmt::format("{}; otherwise use {} staged", missing, option);
}

}  // namespace

std::string message_path_help(MessagePath first) {
  return fmt::format(
      "Messages between ranks: by MPI from device memory, by MPI staged in host memory, by NCCL "
      "from GPU to GPU, or by stores into the memory of other GPUs of the node (peer); auto: the "
      "first of peer, {}, staged that all ranks can",
      first == MessagePath::Nccl ? "nccl, device" : "device, nccl");
}

std::string_view name(MessagePath path) {
  constexpr std::array names{"auto", "device", "staged", "nccl", "peer"};
  return names.at(static_cast<std::size_t>(path));
}

MessagePath message_path(const std::string& option, MessagePath asked, const Placement& placement) {
  if (asked != MessagePath::Auto && asked != MessagePath::Staged)
    refuse(fmt::format("{} {}", option, name(asked)), refuse_host(option, placement));
  if (asked == MessagePath::Nccl) refuse(option + " nccl", refuse_nccl(option, placement));
  if (asked == MessagePath::Device) refuse(option + " device", refuse_device(option));
  if (asked != MessagePath::Auto) return asked;
  return direct_messages(placement.executor) ? MessagePath::Device : MessagePath::Staged;
}

AgreedPath agreed_path(const std::string& option, MessagePath asked, MessagePath own,
                       const Placement& placement, const Communicator& communicator,
                       MessagePath first, const Proofs& proofs) {
  if (communicator.size() == 1) return {own, {}};
  const auto all_have_nccl = [&](bool wanted) {
    return asked == MessagePath::Auto &&
           communicator.all(wanted && refuse_nccl("", placement).empty());
  };
  if (asked == MessagePath::Peer) {
    if (const std::string reason = proofs.peer(communicator); !reason.empty())
      throw CollectiveFailure(
          ExitCode::Machine,
          fmt::format("{0} peer: {1}; use {0} nccl or {0} staged", option, reason));
    return {MessagePath::Peer, {}};
  }
  // Ranks that share a GPU take turns on it, and their kernels would wait for each other.
  const bool own_gpu = placement.executor == Executor::Device && placement.ranks_of_gpu == 1;
  if (asked == MessagePath::Auto && communicator.all(own_gpu) && proofs.peer(communicator).empty())
    return {MessagePath::Peer, {}};
  // Before device messages are tried: a run uses NCCL or them, and not both.
  if (first == MessagePath::Nccl && all_have_nccl(true)) return {MessagePath::Nccl, {}};
  AgreedPath agreed{own, {}};
  if (communicator.all(own == MessagePath::Device)) {
    const std::string reason = proofs.device(communicator);
    if (reason.empty()) return agreed;
    const std::string line = fmt::format("MPI ({}) says that it takes device pointers, but {}",
                                         Communicator::library(), reason);
    if (asked == MessagePath::Device)
      throw CollectiveFailure(
          ExitCode::Machine,
          fmt::format("{0} device: {1}; use {0} nccl or {0} staged", option, line));
    agreed.path = MessagePath::Staged;
    agreed.note = line;
  }
  if (all_have_nccl(agreed.path == MessagePath::Staged)) agreed.path = MessagePath::Nccl;
  if (!agreed.note.empty()) agreed.note += fmt::format(": {} messages instead", name(agreed.path));
  return agreed;
}

std::shared_ptr<GpuExchange> connect(const std::string& option, MessagePath path,
                                     const Communicator& communicator) {
  const bool by_gpus = path == MessagePath::Nccl || path == MessagePath::Peer;
  if (communicator.size() == 1 || !by_gpus) return nullptr;
  try {
    if (path == MessagePath::Peer) return make_peer_exchange(communicator);
    return make_gpu_exchange(communicator);
  } catch (const CollectiveFailure& failure) {
    throw CollectiveFailure(failure.code(),
                            fmt::format("{}; {} staged does without it", failure.what(), option));
  }
}

}  // namespace memstencil
