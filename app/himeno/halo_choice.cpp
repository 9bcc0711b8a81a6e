// Which way the messages of a halo go: --halo, resolved for this machine, or why not.
#include "app/himeno/halo_choice.hpp"

#include "app/common/agree.hpp"
#include "app/common/gpu_exchange.hpp"
#include "app/placement/place.hpp"

#include <fmt/format.h>

#include <array>

namespace memstencil::himeno {

namespace {

constexpr const char* host_sweeps = "the sweeps run on the host; use --halo staged";

std::string refuse_device(Executor executor) {
  if (executor == Executor::Host) return host_sweeps;
  if (!Communicator::gpu_aware())
    return "this MPI (" + Communicator::library() +
           ") does not say that it takes device pointers; use --halo nccl or --halo staged";
  return {};
}

}  // namespace

std::string refuse_nccl(Executor executor, int ranks_of_gpu) {
  if (executor == Executor::Host) return host_sweeps;
  if (ranks_of_gpu > 1)
    return fmt::format(
        "{} ranks share a GPU, and NCCL takes one rank a GPU; start fewer ranks, or use --halo staged",
        ranks_of_gpu);
  const std::string missing = refuse_gpu_exchange();
  return missing.empty() ? "" : missing + "; otherwise use --halo staged";
}

HaloPath halo_path(HaloPath asked, const Placement& placement) {
  if (asked == HaloPath::Nccl) refuse("--halo nccl", refuse_nccl(placement.executor, placement.ranks_of_gpu));
  if (asked == HaloPath::Device) refuse("--halo device", refuse_device(placement.executor));
  if (asked != HaloPath::Auto) return asked;
  return direct_messages(placement.executor) ? HaloPath::Device : HaloPath::Staged;
}

void choose_halo(Setup& setup, const Communicator& communicator) {
  if (setup.options.halo != HaloPath::Auto || communicator.size() == 1) return;
  const Placement& placement = setup.placement;
  const bool here =
      setup.halo == HaloPath::Staged && refuse_nccl(placement.executor, placement.ranks_of_gpu).empty();
  std::array<double, 1> everywhere{here ? 1.0 : 0.0};
  communicator.minimum(everywhere);
  if (everywhere[0] > 0.0) setup.halo = HaloPath::Nccl;
}

void connect(Setup& setup, const Communicator& communicator) {
  if (setup.halo != HaloPath::Nccl || communicator.size() == 1) return;
  try {
    setup.gpu_exchange = make_gpu_exchange(communicator);
  } catch (const CollectiveFailure& failure) {
    throw CollectiveFailure(failure.code(),
                            failure.what() + std::string("; --halo staged does without NCCL"));
  }
}

}  // namespace memstencil::himeno
