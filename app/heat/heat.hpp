// heat from its plan to its result: 7-point diffusion in double.
#pragma once

#include "app/base/cli/progress.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/grid/record.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::heat {

struct Plan : GridPlan {
  ProblemMemory memory() const;
};

/// Collective. @throws CollectiveFailure(Machine) for a plan that it cannot follow, or (Usage)
Plan make_plan(const GridOptions& options, const Machine& machine,
               const Communicator& communicator);
/// Collective. @throws CollectiveFailure(Machine) if there is less memory than the plan takes
void require_memory(const Plan& plan, const Communicator& communicator);

/// --repeat runs. Messages go by `gpu` if it is given: connect(). Collective.
/// @throws CollectiveFailure(Verification); and the errors of allocation
std::vector<GridRun> run_repeats(const Plan& plan, const Communicator& communicator,
                                 ProgressLine&& line, const GpuPaths& gpu = {});

struct Result : GridResult {
  std::optional<std::vector<GridRun>> repeats;
  void describe(Archive& a) const {
    describe_as("heat", a);
    a.optional("repeats", repeats);
  }
};
/// @param verbose all lines, not only the notable ones
std::string text_report(const Result& result, bool verbose);

}  // namespace memstencil::heat
