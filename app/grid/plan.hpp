// The part of a plan that all grid codes have: memory, processor, ranks and messages, decided for
// this machine, or refused.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/memory_check.hpp"
#include "app/bench/placement.hpp"
#include "app/grid/options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace memstencil {

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
};

/// One rank's: the arrays, the host's side of device memory, the halo's messages, and the check.
std::vector<Requirement> memory_requirements(const GridPlan& plan, const ProblemMemory& memory);
/// Collective. @throws CollectiveFailure(Machine) if there is less memory; it names the remedies
void require_memory(const GridPlan& plan, const std::vector<Requirement>& requirements,
                    const Communicator& communicator,
                    const std::string& other_memory = "another --memspace");

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
