// From options and this machine to a run: executor, GPU, placement, part of the grid; or why not.
#pragma once

#include "app/common/communicator.hpp"
#include "app/himeno/options.hpp"
#include "app/himeno/placement.hpp"
#include "app/himeno/problem.hpp"

namespace memstencil::himeno {

/// The options with every default resolved for this machine.
struct Setup {
  Options options;
  Placement placement;
  Subdomain part;
  HaloPath halo;  ///< Device or Staged
  bool fma;       ///< does the executor contract multiply and add?
};

/// GPU of this rank: --gpu, or the rank's number on its node modulo the GPUs there; -1 without GPU.
/// @throws Failure(Machine) for a GPU that is not there
int choose_gpu(const Options& options, const Communicator& communicator);

/// Resolves, and refuses what this machine cannot do. The GPU must have been selected.
/// @throws Failure(Machine) or Failure(Usage)
Setup set_up(const Options& options, const Communicator& communicator);

/// @throws Failure(Machine) with what is needed and what there is, before anything is allocated
void check_memory(const Setup& setup, const Communicator& communicator);

}  // namespace memstencil::himeno
