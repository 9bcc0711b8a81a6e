// Predicted scaling of a grid code over the nodes of a machine that is only described.
#include "app/base/runtime/failure.hpp"
#include "app/compare/model/ranks.hpp"
#include "app/compare/predictions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace memstencil::compare {

namespace {

using model::GridCase;
using model::Triple;

constexpr std::int64_t most_counted = 100000;  // as --nodes
constexpr std::int64_t most_ranks = 1'000'000;

/// A parameter of the machine that is a count.
std::int64_t count_of(const MachineDescription& machine, const std::string& key,
                      std::int64_t otherwise) {
  const auto found = machine.parameters.find(key);
  if (found == machine.parameters.end()) return otherwise;
  const Record& value = found->second.value;
  if (value.is_number_integer() && value >= 1 && value <= most_counted)
    return value.get<std::int64_t>();
  throw Failure(ExitCode::Usage, fmt::format("{}: parameters.{}: an integer from 1 to {} is wanted",
                                             machine.name, key, most_counted));
}

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

struct Curve {
  const model::Stencil& stencil;
  Triple extents;
  bool weak;
  int fused;

  std::string name() const {
    return fmt::format("{} {}{}, {}", stencil.program, fmt::join(extents, "x"),
                       weak ? " a GPU" : "",
                       fused == 1 ? "single" : fmt::format("temporal:{}", fused));
  }
};

/// Fills the row. @returns why it is not predicted; empty: it is
std::string fill(const Curve& curve, int ranks, int gpus, const model::MachineRates& rates,
                 Record& row) {
  GridCase whole =
      grid_case(curve.stencil, curve.weak ? grown(curve.extents, ranks) : curve.extents);
  whole.fused = curve.fused;
  try {
    const auto best = best_division(whole, ranks, gpus, rates);
    if (!best) return "the grid is too small";
    if (rates.device_bytes && largest_part(whole, best->ranks).bytes() > *rates.device_bytes)
      return "a rank's part does not fit the GPU's memory";
    row["division"] = fmt::format("{}", fmt::join(best->ranks, "x"));
    row["rate"] =
        1e-9 * flops_of_sweep(curve.stencil, whole.extents) * whole.fused / best->pass.total;
    row["exposed_messages"] = 1 - best->pass.sweeps / best->pass.total;
    return "";
  } catch (const model::Missing& missing) {
    return std::string("nobody gives ") + missing.what();
  }
}

/// A row for each number of nodes; speedup and efficiency are those over the first one predicted.
void add_curve(const Curve& curve, std::int64_t most, int gpus, const MachineDescription& machine,
               const model::MachineRates& rates, Record& rows) {
  double rate = 0, first_ranks = 0;
  for (const int nodes : numbers_of_nodes(most)) {
    const int ranks = nodes * gpus;
    Record row{{"side", machine.name},   {"scaling", curve.weak ? "weak" : "strong"},
               {"curve", curve.name()},  {"ranks", ranks},
               {"nodes", nodes},         {"processors", ranks},
               {"unit_of_ranks", "GPU"}, {"unit", "GFLOPS"}};
    row["not_predicted"] = fill(curve, ranks, gpus, rates, row);
    if (row.contains("rate")) {
      if (rate == 0) rate = row["rate"], first_ranks = ranks;
      row["speedup"] = row["rate"].get<double>() / rate;
      row["efficiency"] = row["speedup"].get<double>() * first_ranks / ranks;
    }
    rows.push_back(row);
  }
}

}  // namespace

Record predicted_scaling(const model::Stencil& stencil, const Triple& extents, std::int64_t asked,
                         const MachineDescription& machine, const model::MachineRates& rates,
                         std::vector<std::string>& notes) {
  if (flops_of_sweep(stencil, extents) <= 0)
    throw Failure(ExitCode::Usage, "--nodes: every extent of --size has to be at least 4");
  const int gpus = static_cast<int>(count_of(machine, "gpus_per_node", 1));
  const std::int64_t most = asked > 0 ? asked : count_of(machine, "nodes", 0);
  if (most == 0 || most > most_ranks / gpus)
    throw Failure(ExitCode::Usage,
                  fmt::format("--nodes {}: {}: give a number of nodes with at most {} GPUs", asked,
                              most == 0 ? "the description of " + machine.name + " has no 'nodes'"
                                        : fmt::format("{} nodes of {} GPUs", most, gpus),
                              most_ranks));
  Record rows = Record::array();
  for (const bool weak : {false, true})
    for (const int fused : {1, 3})
      if (fused <= stencil.most_fused)
        add_curve({stencil, extents, weak, fused}, most, gpus, machine, rates, rows);
  if (const std::int64_t a_job = count_of(machine, "nodes_a_job", most); a_job < most)
    notes.push_back(fmt::format(
        "{}: no job gets more than {} nodes there ({}), so the rows beyond are of none.",
        machine.name, a_job, machine.parameters.at("nodes_a_job").source));
  return rows;
}

}  // namespace memstencil::compare
