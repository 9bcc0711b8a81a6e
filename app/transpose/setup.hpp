// From options and this machine to a run: placement, shapes, variants; or why not.
#pragma once

#include "app/common/communicator.hpp"
#include "app/placement/memory_check.hpp"
#include "app/placement/placement.hpp"
#include "app/transpose/distribution.hpp"
#include "app/transpose/options.hpp"
#include "kernels/transpose/transpose.hpp"

#include <string>
#include <vector>

namespace memstencil::transpose {

/// A variant that --variant all leaves out, and why.
struct Skipped {
  std::string name, reason;
};

/// The options with every default resolved for this machine.
struct Setup {
  Options options;
  Placement placement;
  Operation operation;
  std::vector<Shape> shapes;          ///< one, or those of --sweep-sizes, in ascending order
  std::vector<std::string> variants;  ///< to be timed, in this order
  std::vector<Skipped> skipped;
  bool direct;  ///< do messages leave the executor's own memory?
};

/// Resolves, and refuses what this machine cannot do; choose_variants() is still to come. The GPU must
/// have been selected; `ranks_of_gpu` share it. @throws Failure(Machine) or Failure(Usage)
Setup set_up(const Options& options, const Communicator& communicator, int ranks_of_gpu);

/// The variants that --variant names. Collective: ranks must not choose apart.
/// @throws CollectiveFailure(Machine) for one that cannot do this here
void choose_variants(Setup& setup, const Communicator& communicator);

/// A shape among the ranks.
Distribution distribution(const Setup& setup, const Shape& shape, const Communicator& communicator);

/// What this rank allocates: matrices, tiles, staging, and on the host the times of all iterations, in
/// memory, in the record and as text.
std::vector<Demand> demands(const Setup& setup, const Communicator& communicator);

}  // namespace memstencil::transpose
