// The way that messages between ranks go: which one a run can take, and why not another.
#include "app/placement/message_path.hpp"

#include "app/common/ranks/collectively.hpp"
#include "app/placement/place.hpp"

#include <fmt/format.h>

namespace memstencil {

namespace {

/// The reason why host kernels, or this MPI, cannot send from device memory; empty if they can.
std::string refuse_device(const std::string& option, Executor executor) {
  if (executor == Executor::Host)
    return fmt::format("the kernels run on the host; use {} staged", option);
  if (Communicator::gpu_aware()) return {};
  return fmt::format(
      "this MPI ({}) does not say that it takes device pointers; use {} nccl or {} staged",
      Communicator::library(), option, option);
}

/// The reason why NCCL cannot carry this rank's messages; empty if it can. It takes one rank a GPU.
std::string refuse_nccl(const std::string& option, const Placement& placement) {
  if (placement.executor == Executor::Host) return refuse_device(option, placement.executor);
  if (placement.ranks_of_gpu > 1)
    return fmt::format(
        "{} ranks share a GPU, and NCCL takes one rank a GPU; start fewer ranks, or use {} staged",
        placement.ranks_of_gpu, option);
  const std::string missing = refuse_gpu_exchange();
  return missing.empty() ? "" : fmt::format("{}; otherwise use {} staged", missing, option);
}

}  // namespace

const char* const message_path_help =
    "Messages between ranks: by MPI from device memory, by MPI staged in host memory, or by NCCL "
    "from GPU to GPU; auto: the first of device, nccl, staged that all ranks can";

std::string_view name(MessagePath path) {
  constexpr std::array names{"auto", "device", "staged", "nccl"};
  return names.at(static_cast<std::size_t>(path));
}

MessagePath message_path(const std::string& option, MessagePath asked, const Placement& placement) {
  if (asked == MessagePath::Nccl) refuse(option + " nccl", refuse_nccl(option, placement));
  if (asked == MessagePath::Device)
    refuse(option + " device", refuse_device(option, placement.executor));
  if (asked != MessagePath::Auto) return asked;
  return direct_messages(placement.executor) ? MessagePath::Device : MessagePath::Staged;
}

MessagePath agreed_path(MessagePath asked, MessagePath own, const Placement& placement,
                        const Communicator& communicator) {
  if (asked != MessagePath::Auto || communicator.size() == 1) return own;
  const bool here = own == MessagePath::Staged && refuse_nccl("", placement).empty();
  std::array<double, 1> everywhere{here ? 1.0 : 0.0};
  communicator.minimum(everywhere);
  return everywhere[0] > 0.0 ? MessagePath::Nccl : own;
}

std::shared_ptr<GpuExchange> connect(const std::string& option, MessagePath path,
                                     const Communicator& communicator) {
  if (path != MessagePath::Nccl || communicator.size() == 1) return nullptr;
  try {
    return make_gpu_exchange(communicator);
  } catch (const CollectiveFailure& failure) {
    throw CollectiveFailure(failure.code(),
                            fmt::format("{}; {} staged does without NCCL", failure.what(), option));
  }
}

}  // namespace memstencil
