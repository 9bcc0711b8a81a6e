// The plan of a run: all that the options leave open is decided for this machine, or refused.
#include "app/himeno/plan.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/bench/placement.hpp"
#include "app/grid/halo_layer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace memstencil::himeno {

namespace {

/// The first offer that answers --sweep.
jacobi::SweepOffer chosen(const std::vector<jacobi::SweepOffer>& offers,
                          const jacobi::SweepKind& asked, Executor executor) {
  std::string why_not;
  std::vector<std::string> names;
  for (const jacobi::SweepOffer& each : offers) {
    if (each.tried) names.push_back(full_name(each.kind));
    if (!each.kind.is(asked)) continue;
    if (each.why_not.empty()) return each;
    why_not = each.why_not;
  }
  if (why_not.empty())
    why_not = fmt::format("on the {} there are {}", name(executor), fmt::join(names, ", "));
  throw CollectiveFailure(ExitCode::Machine,
                          fmt::format("--sweep {}: {}", full_name(asked), why_not));
}

/// If ranks store into the memory of other GPUs, decompositions differ by the sweeps of a pass more
/// than by their messages: takes the best of those that leave k whole. Collective.
void decompose_for(const jacobi::SweepKind& asked, Plan& plan, const Communicator& communicator) {
  const GridOptions& options = plan.options;
  constexpr double points_of_a_step = 1e4;  // cost_of_pass()
  const Subdomain& subdomain = plan.subdomain;
  if (options.ranks || asked.sweeps < 2 || plan.transport != Transport::Peer) return;
  std::vector<Decomposition> ranked;
  for (Decomposition each : decompositions(options.extents, communicator.size(),
                                           {subdomain.halo, communicator.size(), false})) {
    if (each.ranks[2] > 1) continue;
    const Subdomain its = subdomain_of(options.extents, each.ranks, communicator.rank(),
                                       communicator.size(), subdomain.halo);
    double cost = 0;
    for (const jacobi::SweepOffer& offer : with_execution_space_type(
             plan.executor(), [&]<class Exec>() { return jacobi::sweep_offers<Exec>(its.grid); }))
      if (cost == 0 && offer.kind.is(asked)) cost = offer.cost;
    const bool known = communicator.all(cost > 0);
    for (const StoredLayer& layer : stored_layers(its))
      cost += static_cast<double>(layer.here.points()) / points_of_a_step;
    each.cost = communicator.maximum(cost);
    if (known) ranked.push_back(each);
  }
  if (ranked.empty()) return;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Decomposition& a, const Decomposition& b) { return a.cost < b.cost; });
  plan.subdomain = subdomain_of(options.extents, ranked.front().ranks, communicator.rank(),
                                communicator.size(), subdomain.halo);
  plan.decomposition = choice_text(ranked, "its sweeps");
}

}  // namespace

std::vector<jacobi::SweepOffer> sweep_offers(const GridPlan& plan, const Machine& machine,
                                             const Communicator& communicator) {
  const bool linked = reached_over_link(plan.placement.space, plan.executor());
  auto offers = with_execution_space_type(plan.executor(), [&]<class Exec>() {
    return jacobi::sweep_offers<Exec>(plan.subdomain.grid, linked ? machine.gpu_bytes / 2 : 0);
  });
  share_why_not(offers, communicator);
  return offers;
}

Plan make_plan(const Options& options, const Machine& machine, const Communicator& communicator) {
  const jacobi::SweepKind asked = options.sweep_auto() ? jacobi::SweepKind{} : options.sweep;
  Plan plan{make_grid_plan(options, std::max(asked.sweeps, 1), machine, communicator), options, {}};
  decompose_for(asked, plan, communicator);
  plan.sweep = chosen(sweep_offers(plan, machine, communicator), asked, plan.executor());
  const int sweeps = plan.sweep.kind.sweeps;
  if (asked.sweeps == 0) {  // now that the number is known, the halo is as wide
    Options with_number = options;
    with_number.sweep.sweeps = sweeps;
    return make_plan(with_number, machine, communicator);
  }
  if (options.layout == jacobi::Layout::Packed && sweeps == 1 && !options.sweep_auto())
    throw CollectiveFailure(ExitCode::Usage,
                            "--layout packed goes with fused sweeps, --sweep temporal:T: single "
                            "ones are slower with it");
  if (options.layout == jacobi::Layout::Packed &&
      (plan.executor() == Executor::Host ||
       reached_over_link(plan.placement.space, plan.executor())))
    throw CollectiveFailure(ExitCode::Machine,
                            "--layout packed: packed goes with temporal:T in device memory");
  // Single sweeps would be reported as fused ones.
  if (!options.seconds && sweeps > options.iterations)
    throw CollectiveFailure(ExitCode::Usage,
                            fmt::format("--sweep {} makes {} sweeps a pass: --iterations {} are "
                                        "fewer",
                                        full_name(asked), sweeps, options.iterations));
  return plan;
}

std::vector<std::size_t> Plan::widths() const {
  if (own.layout == jacobi::Layout::Packed) return {jacobi::coefficient_count, 1, 1};
  return std::vector<std::size_t>(jacobi::array_count + 1, 1);
}

double field_bytes(const Grid& grid) {
  return (jacobi::array_count + 1) * sizeof(float) * grid.elements_wanted();
}

ProblemMemory Plan::memory() const {
  return {.arrays = field_bytes(subdomain.grid),
          .staged = staged_values(subdomain.grid, widths()) * sizeof(float),
          .value = sizeof(float),
          // All arrays, and twice the result; streamed sweeps are checked by a kernel.
          .checked = sweep.seams > 0 ? 0.0 : (jacobi::array_count + 3) * sizeof(float)};
}

std::vector<Requirement> memory_requirements(const Plan& plan) {
  const Grid& grid = plan.subdomain.grid;
  auto out = memstencil::memory_requirements(plan, plan.memory());
  const Memory executors = plan.executor() == Executor::Device ? Memory::Gpu : Memory::Host;
  out.push_back({executors, plan.sweep.bytes});
  if (plan.own.save_field)
    out.push_back({Memory::Host, field_bytes(grid) / (jacobi::array_count + 1)});
  return out;
}

void require_memory(const Plan& plan, const Communicator& communicator) {
  const bool on_gpu = memory_of(plan.placement.space, plan.executor()) == Memory::Gpu;
  memstencil::require_memory(plan, memory_requirements(plan), communicator,
                             on_gpu ? "--memspace host-pinned --sweep auto, which streams the "
                                      "arrays through the GPU's memory"
                                    : "another --memspace");
}

}  // namespace memstencil::himeno
