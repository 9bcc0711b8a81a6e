// Which way the messages of a halo go: --halo, resolved for this machine, or why not.
#pragma once

#include "app/common/communicator.hpp"
#include "app/himeno/setup.hpp"

#include <string>

namespace memstencil::himeno {

/// What --halo asks for, as far as one rank can tell: Device, Staged or Nccl. Auto is Device where MPI takes
/// device pointers, otherwise Staged until choose_halo(). @throws Failure(Machine)
HaloPath halo_path(HaloPath asked, const Placement& placement);

/// Why NCCL cannot carry this rank's messages; empty where it can. It takes one rank a GPU.
std::string refuse_nccl(Executor executor, int ranks_of_gpu);

/// --halo auto: NCCL rather than staged messages where every one of several ranks can. Collective: ranks must
/// not choose apart.
void choose_halo(Setup& setup, const Communicator& communicator);

/// Starts NCCL, where it carries messages: seconds that belong to no phase, as those of MPI's start. Kokkos
/// must have started. Collective. @throws CollectiveFailure(Machine) with NCCL's words
void connect(Setup& setup, const Communicator& communicator);

}  // namespace memstencil::himeno
