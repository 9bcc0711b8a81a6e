// The part of a plan that all grid codes have.
#include "app/grid/plan.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/bench/limit.hpp"
#include "app/grid/cone.hpp"
#include "app/grid/halo.hpp"
#include "memory_spaces/capabilities.hpp"

#include <algorithm>
#include <array>

namespace memstencil {

namespace {

/// The domain decomposition: as --ranks says, or as costs its messages least by the
/// transport that has been agreed.
std::array<int, 3> decomposition_of(GridPlan& plan, int halo, int ranks_of_node, int size) {
  const GridOptions& o = plan.options;
  if (o.ranks || size == 1) return o.ranks.value_or(std::array{1, 1, 1});
  const bool on_gpu = plan.executor() == Executor::Device;
  const bool staged = on_gpu && plan.transport == Transport::Staged;
  const bool copied = on_gpu && halo > 1 && carried_by_copies(plan.transport, plan.placement.space);
  const auto ranked = decompositions(o.extents, size, {halo, ranks_of_node, staged, copied});
  if (ranked.empty()) return Communicator::dimensions(size);
  plan.decomposition = choice_text(ranked);
  return ranked.front().ranks;
}

}  // namespace

GridPlan make_grid_plan(const GridOptions& options, int halo, const Machine& machine,
                        const Communicator& communicator) {
  const int ranks_of_node = static_cast<int>(communicator.minimum(communicator.node_size()));
  GridPlan plan;
  plan.options = options;
  collectively(communicator, [&] {
    plan.placement = placement_of(options, machine.ranks_of_gpu);
    if (options.pre_touch && plan.executor() == Executor::Host)
      refuse("--pre-touch device", "no GPU computes here; leave it out");
  });
  plan.transport = agreed_transport("--halo", options.halo, plan.placement, communicator);
  plan.placement.mapped_by_ranks = maps_arrays(plan.transport);
  plan.placement.ranks = communicator.size();
  collectively(communicator, [&] {
    plan.subdomain = subdomain_of(options.extents,
                                  decomposition_of(plan, halo, ranks_of_node, communicator.size()),
                                  communicator.rank(), communicator.size(), halo);
  });
  return plan;
}

std::vector<Requirement> memory_requirements(const GridPlan& plan, const ProblemMemory& memory) {
  const MemorySpace space = plan.placement.space;
  const MemorySpace of_messages = message_memory(plan.executor(), plan.transport).space;
  std::vector<Requirement> out{{memory_of(space, plan.executor()), memory.arrays}};
  const bool by_host = plan.placement.first_touch == Executor::Host;
  if (by_host && memory_of(space, plan.executor()) == Memory::Gpu && touch_makes_pages(space))
    out.push_back({Memory::Host, memory.arrays});  // pages that move to the GPU later
  if (!support(space, Executor::Host).served) out.push_back({Memory::Host, memory.staged});
  if (reached_over_link(space, plan.executor()))  // the target of measure_limit()
    out.push_back({Memory::Gpu, static_cast<double>(link_bytes)});
  // Three passes, and the sweeps of a fourth that is not whole.
  out.push_back({Memory::Host, memory.checked * most_kept_points(plan.subdomain.global,
                                                                 4 * plan.subdomain.halo)});
  out.push_back({memory_of(of_messages, plan.executor()),
                 halo_bytes(plan.subdomain, plan.transport, memory.value)});
  return out;
}

void require_memory(const GridPlan& plan, const std::vector<Requirement>& requirements,
                    const Communicator& communicator, const std::string& other_memory) {
  check_memory("the grid " + size_name(plan.options.extents), {"a smaller --size", other_memory},
               requirements, plan.placement, communicator);
}

}  // namespace memstencil
