// Messages between the GPUs of one node by stores of a kernel: no library carries them.
#pragma once

#include "app/bench/gpu_exchange.hpp"

#include <memory>
#include <string>

namespace memstencil {

/// The reason why the ranks do not reach each other's memory, the same on all; empty if they do.
/// Tried once in a process: each rank stores into the memory of all others. Collective.
std::string refuse_peer_exchange(const Communicator& communicator);

/// Only where nothing refuses it. Collective.
/// @throws CollectiveFailure(Machine)
std::unique_ptr<GpuExchange> make_peer_exchange(const Communicator& communicator);

}  // namespace memstencil
