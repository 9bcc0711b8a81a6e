// Messages and stores between GPUs of a program built without NCCL, or without CUDA: refused.
#include "app/base/ranks/collectively.hpp"
#include "app/bench/gpu_exchange.hpp"

namespace memstencil {

std::string gpu_exchange_library() { return "none"; }

std::string why_not_gpu_exchange() { return "this program is built without NCCL"; }

std::unique_ptr<GpuExchange> make_gpu_exchange(const Communicator&) {
  throw CollectiveFailure(ExitCode::Machine, why_not_gpu_exchange());
}

#ifndef MEMSTENCIL_CUDA
std::string why_not_peers(const Communicator&) { return "this program is built without CUDA"; }

std::shared_ptr<Peers> make_peers(const Communicator& communicator) {
  throw CollectiveFailure(ExitCode::Machine, why_not_peers(communicator));
}
#endif

}  // namespace memstencil
