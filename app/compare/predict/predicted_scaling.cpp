// Scaling that is predicted over the nodes of a machine that is only described.
#include "app/compare/predict/predicted_run.hpp"

#include "app/base/runtime/failure.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace memstencil::compare {

namespace {

using model::GridCase;

/// 1, 2, 4, ... and the last.
std::vector<int> numbers_of_nodes(std::int64_t most) {
  std::vector<int> nodes;
  for (int n = 1; n < most; n *= 2) nodes.push_back(n);
  nodes.push_back(static_cast<int>(most));
  return nodes;
}

/// `count` as a product of three factors as equal as possible, the largest for i.
Triple blocks(int count) {
  Triple best{count, 1, 1};
  for (int k = 1; k * k * k <= count; ++k)
    for (int j = k; count % k == 0 && j * j <= count / k; ++j)
      if (count / k % j == 0) best = {count / k / j, j, k};
  return best;
}

/// The grid of which each rank has as many points as a grid of `extents`.
Triple grown(const Triple& extents, int ranks) {
  const Triple times = blocks(ranks);
  Triple out{};
  for (std::size_t d = 0; d < 3; ++d) out[d] = (extents[d] - 2) * times[d] + 2;
  return out;
}

/// Fills the row of this grid. @returns why it is not predicted; empty: it is
std::string fill(const GridCase& whole, int ranks, int gpus, const model::Ends& ends, Record& row) {
  const model::MachineRates& rates = ends.front();
  // No decomposition of it fits a GPU of today, or what the plan of a pass can count.
  constexpr double largest_gpu = 1e13;
  const double memory = std::min(rates.device_bytes.value_or(largest_gpu), largest_gpu);
  if (whole.points / ranks * whole.stencil.arrays() * whole.stencil.element_bytes > memory)
    return "a rank's part does not fit the GPU's memory";
  try {
    const auto best = best_decomposition(whole, ranks, gpus, rates);
    if (!best) return "the grid is too small";
    if (largest_part(whole, best->ranks).bytes() > memory)
      return "a rank's part does not fit the GPU's memory";
    const auto rate = [&](const model::MachineRates& at) {
      const model::Ranks of{whole.extents, best->ranks, gpus, ""};
      return 1e-9 * flops_of_sweep(whole.stencil, whole.extents) * whole.fused /
             pass_on_ranks(whole, of, at).total;
    };
    row["division"] = fmt::format("{}", fmt::join(best->ranks, "x"));
    row["rate"] = rate(rates);
    row["rates"] = {rate(ends[2]), rate(ends[1])};
    row["points"] = whole.points * whole.fused / best->total;
    row["exposed_messages"] = 1 - best->sweeps / best->total;
    return "";
  } catch (const model::Missing& missing) {
    return std::string(missing.what()) + " is not given";
  }
}

/// A row for each number of nodes; speedup and efficiency are those over the first one predicted.
void add_curve(const GridCase& one, bool weak, std::int64_t most, int gpus,
               const MachineDescription& machine, const model::Ends& rates, Record& rows) {
  const std::string name =
      fmt::format("{} {}{}, {}", one.stencil.program, fmt::join(one.extents, "x"),
                  weak ? " a GPU" : "", one.sweep());
  double points = 0, first_ranks = 0;
  for (const int nodes : numbers_of_nodes(most)) {
    const int ranks = nodes * gpus;
    GridCase whole = grid_case(one.stencil, weak ? grown(one.extents, ranks) : one.extents);
    whole.fused = one.fused;
    Record row{{"side", machine.name}, {"scaling", weak ? "weak" : "strong"},
               {"curve", name},        {"ranks", ranks},
               {"nodes", nodes},       {"processors", ranks},
               {"unit", "GFLOPS"}};
    row["not_predicted"] = fill(whole, ranks, gpus, rates, row);
    if (row.contains("rate")) {
      // Operations are counted without some points at the boundary: they would flatter large grids.
      const double here = number(row, "points");
      if (points == 0) points = here, first_ranks = ranks;
      row["speedup"] = here / points;
      row["efficiency"] = here / points * first_ranks / ranks;
      row["perfect_rate"] = number(row, "rate") / number(row, "efficiency");
    }
    rows.push_back(row);
  }
}

}  // namespace

Record predicted_scaling(GridCase one, const std::vector<int>& kinds, std::int64_t asked,
                         const MachineDescription& machine, const model::Ends& rates,
                         std::vector<std::string>& notes) {
  const int gpus = model::count_of(machine, "gpus_per_node").value_or(1);
  const std::int64_t most = asked > 0 ? asked : model::count_of(machine, "nodes").value_or(0);
  if (most == 0 || most > model::most_counted / gpus)
    throw Failure(ExitCode::Usage,
                  fmt::format("--nodes {}: {}: give a number of nodes with at most {} GPUs", asked,
                              most == 0 ? "the description of " + machine.name + " has no 'nodes'"
                                        : fmt::format("{} nodes of {} GPUs", most, gpus),
                              model::most_counted));
  Record rows = Record::array();
  for (const bool weak : {false, true})
    for (const int fused : kinds) {
      one.fused = fused;
      add_curve(one, weak, most, gpus, machine, rates, rows);
    }
  if (const std::int64_t a_job = model::count_of(machine, "nodes_a_job").value_or(most);
      a_job < most)
    notes.push_back(fmt::format(
        "{}: no job gets more than {} nodes there ({}), so the rows beyond are of none.",
        machine.name, a_job, machine.parameters.at("nodes_a_job").source));
  return rows;
}

}  // namespace memstencil::compare
