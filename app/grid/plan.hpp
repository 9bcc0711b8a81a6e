// The options that all grid codes have, and their part of a plan: memory, processor, ranks and
// messages, decided for this machine, or refused.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/bench/memory_check.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/transport.hpp"
#include "app/grid/subdomain.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// As typed; an option that is not given and depends on the machine stays empty (see GridPlan).
struct GridOptions : PlacementOptions {
  Triple extents{128, 128, 256};
  std::int64_t iterations = 100;
  std::optional<double> seconds;  ///< in place of iterations: a rehearsal finds their number
  int repeat = 1;
  std::optional<Executor> pre_touch;  ///< a pass of the GPU over pages that the host touched first
  std::optional<std::array<int, 3>> ranks;
  std::optional<Transport> halo;  ///< not given: auto
};

/// Each declares the options of a subject of --help, to be stored in `options` by parse(); a code
/// declares its own of that subject behind it.
/// @param bytes_of_point in all arrays together
void declare_problem(CommandLine& line, GridOptions& options, double bytes_of_point);
void declare_memory(CommandLine& line, GridOptions& options);
void declare_ranks(CommandLine& line, GridOptions& options);

/// Refuses combinations of options that mean nothing, on all ranks.
/// @throws CollectiveFailure(Usage)
void check_combinations(const GridOptions& options);

struct GridPlan {
  GridOptions options;  ///< that it was made from
  Placement placement{};
  Subdomain subdomain{};
  Transport transport = Transport::None;
  std::string decomposition{};  ///< how the ranks were chosen; empty if --ranks says, or for one

  Executor executor() const { return placement.executor; }
  /// Does the executor contract multiply and add?
  bool fma() const { return executor() == Executor::Device; }
};

/// Kokkos need not have started. Collective.
/// @param halo its width: the sweeps of a pass
/// @throws CollectiveFailure(Machine) for a plan that this machine cannot follow, or (Usage)
GridPlan make_grid_plan(const GridOptions& options, int halo, const Machine& machine,
                        const Communicator& communicator);

/// Memory of a code on one rank.
struct ProblemMemory {
  double arrays;      ///< bytes of all of them
  double staged;      ///< of the most of them that pass through the host at a time
  std::size_t value;  ///< of an element
  double checked;     ///< of a point that the check of the time loop evaluates on the host
  double sweeps = 0;  ///< that sweeps take of the executor's memory
  double saved = 0;   ///< of a result that is kept on the host
  std::string remedy = "another --memspace";
};

/// One rank's: all of these, the host's side of device memory, and the halo's messages.
Requirements memory_requirements(const GridPlan& plan, const ProblemMemory& memory);
/// Collective. @throws CollectiveFailure(Machine) if there is less memory; it names the remedies
/// @tparam Plan a GridPlan with memory(), the code's ProblemMemory
template <class Plan>
void require_memory(const Plan& plan, const Communicator& communicator) {
  const ProblemMemory memory = plan.memory();
  check_memory("the grid " + size_name(plan.options.extents), {"a smaller --size", memory.remedy},
               memory_requirements(plan, memory), plan.placement, communicator);
}

/// Planes of an allocation of `arrays` arrays that are staged at a time: they fill a buffer of one
/// array's size; at least one.
inline std::int64_t staged_planes(const Grid& grid, std::size_t arrays) {
  return std::max<std::int64_t>(grid.extents[0] / static_cast<std::int64_t>(arrays), 1);
}

/// Values of the largest part of the allocations that is staged at a time: a whole number, which
/// may exceed 64 bits before the check of memory.
/// @param widths arrays of each allocation
inline double staged_values(const Grid& grid, const std::vector<std::size_t>& widths) {
  const double plane = grid.elements_wanted() / static_cast<double>(grid.extents[0]);
  double most = 0;
  for (const std::size_t width : widths)
    most = std::max(
        most, static_cast<double>(width) * static_cast<double>(staged_planes(grid, width)) * plane);
  return most;
}

}  // namespace memstencil
