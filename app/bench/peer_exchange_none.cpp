// A build without CUDA: no rank has a GPU.
#include "app/base/ranks/collectively.hpp"
#include "app/bench/gpu_exchange.hpp"

namespace memstencil {

std::string refuse_peer_exchange(const Communicator&) {
  return "this program is built without CUDA";
}

std::unique_ptr<GpuExchange> make_peer_exchange(const Communicator& communicator) {
  throw CollectiveFailure(ExitCode::Machine, refuse_peer_exchange(communicator));
}

}  // namespace memstencil
