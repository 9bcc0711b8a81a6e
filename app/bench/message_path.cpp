// The way that messages between ranks go: which one a run can take, and why not another.
#include "app/bench/message_path.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/bench/gpu_exchange.hpp"

#include <fmt/format.h>

namespace memstencil {

namespace {

/// Why this rank's messages cannot take the path; empty if they can.
std::string why_not_own(MessagePath path, const Placement& placement) {
  if (path == MessagePath::Staged) return {};
  if (placement.executor == Executor::Host) return "the kernels run on the host";
  if (path == MessagePath::Device && !Communicator::gpu_aware())
    return fmt::format("this MPI ({}) does not say that it takes device pointers",
                       Communicator::library());
  // A kernel of `peer` waits for another rank's, and CUDA does not promise that kernels of two
  // processes run at the same time.
  if ((path == MessagePath::Nccl || path == MessagePath::Peer) && placement.ranks_of_gpu > 1)
    return fmt::format("{} ranks share a GPU, and {} takes one rank a GPU", placement.ranks_of_gpu,
                       path == MessagePath::Nccl ? "NCCL" : "peer");
  return path == MessagePath::Nccl ? why_not_gpu_exchange() : std::string();
}

}  // namespace

std::string_view name(MessagePath path) {
  constexpr std::array names{"auto", "device", "staged", "nccl", "peer"};
  return names.at(static_cast<std::size_t>(path));
}

std::string why_not_path(MessagePath path, const Placement& placement, const Communicator& ranks) {
  std::string reason;
  for (const std::string& own : ranks.all_gather(why_not_own(path, placement)))
    if (reason.empty()) reason = own;
  const bool try_peer = reason.empty() && path == MessagePath::Peer && ranks.size() > 1;
  return try_peer ? why_not_peer_exchange(ranks) : reason;
}

MessagePath message_path(const std::string& option, MessagePath asked, const Placement& placement,
                         const Communicator& ranks, const WhyNotPath& why_not) {
  if (asked != MessagePath::Auto) {
    if (const std::string reason = why_not(asked, placement, ranks); !reason.empty())
      throw CollectiveFailure(ExitCode::Machine, fmt::format("{0} {1}: {2}; use {0} staged", option,
                                                             name(asked), reason));
    return asked;
  }
  if (ranks.size() == 1) return MessagePath::Staged;
  for (const MessagePath path : {MessagePath::Peer, MessagePath::Device, MessagePath::Nccl})
    if (why_not(path, placement, ranks).empty()) return path;
  return MessagePath::Staged;
}

bool mapped_by_ranks(MessagePath path, const Communicator& ranks) {
  return ranks.size() > 1 && (path == MessagePath::Peer || path == MessagePath::Device);
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
