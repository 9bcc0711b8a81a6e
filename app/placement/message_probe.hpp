// A first message that proves MPI's claim to take device pointers.
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "memory_spaces/memory_space.hpp"

#include <functional>
#include <span>
#include <string>

namespace memstencil {

/// Exchanges messages; false where they have not arrived in so many seconds, or MPI told an error.
using TryExchange = std::function<bool(std::span<const Message> messages, double seconds)>;

/// Sends 1 KiB from and into memory of the space, to the ranks at distances 1, 2, 4, ... in a ring:
/// nearby ones and those of other nodes. Returns the reason of a failure, the same on all ranks;
/// empty if there is none. If MPI crashes, the process ends with one line and the exit code of
/// Machine. Kokkos need not have started. Collective.
std::string refuse_messages(MemorySpace space, const Communicator& communicator,
                            const TryExchange& exchange, double seconds);

/// refuse_messages() of device memory by MPI, within 20 s or half of --timeout; tried once in a
/// process.
std::string refuse_device_messages(const Communicator& communicator);

}  // namespace memstencil
