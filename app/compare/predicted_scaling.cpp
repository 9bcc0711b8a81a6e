// Predicted scaling of himeno over the nodes of machines that are only described.
#include "app/compare/predicted_scaling.hpp"

#include "app/base/runtime/failure.hpp"
#include "app/compare/model/ranks_model.hpp"
#include "app/compare/model/rates_from_description.hpp"
#include "app/grid/division.hpp"
#include "app/himeno/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace memstencil::compare {

namespace {

/// Single sweeps, and the fused ones that are fastest on a Hopper GPU.
constexpr std::array fused_sweeps{1, 3};

struct Machine {
  const MachineDescription& description;
  model::MachineRates rates;
  model::MessageRates messages;
  int gpus_of_node;
  std::vector<int> nodes;  ///< numbers of nodes to predict for
};

constexpr std::int64_t most_counted = 100000;  // as --nodes
constexpr int most_ranks = 1'000'000;

int count_of(const MachineDescription& machine, const std::string& key, int otherwise) {
  const auto found = machine.parameters.find(key);
  if (found == machine.parameters.end()) return otherwise;
  const Record& value = found->second.value;
  if (!value.is_number_integer() || value.get<std::int64_t>() < 1 ||
      value.get<std::int64_t>() > most_counted)
    throw Failure(ExitCode::Usage,
                  fmt::format("{}: parameters.{}: an integer from 1 to {} is wanted", machine.name,
                              key, most_counted));
  return value.get<int>();
}

int most_nodes(const MachineDescription& machine, std::int64_t asked) {
  const int all = asked > 0 ? static_cast<int>(asked) : count_of(machine, "nodes", 0);
  if (all == 0)
    throw Failure(ExitCode::Usage,
                  fmt::format("--nodes 0: the description of {} has no parameter 'nodes'; give a "
                              "number of nodes",
                              machine.name));
  const int gpus = count_of(machine, "gpus_per_node", 1);
  if (all > most_ranks / gpus)
    throw Failure(
        ExitCode::Usage,
        fmt::format("--nodes: {} nodes of {} GPUs are more than {} ranks", all, gpus, most_ranks));
  return all;
}

/// 1, 2, 4, ... and the last.
std::vector<int> node_counts(int most) {
  std::vector<int> counts;
  for (int n = 1; n < most; n *= 2) counts.push_back(n);
  counts.push_back(most);
  return counts;
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

/// The best division of a grid, and its speed; nothing where the grid is too small, or does not fit
/// the GPUs' memory.
struct BestDivision {
  std::array<int, 3> ranks;
  double gflops;
  model::PassOnRanks pass;
};
std::optional<BestDivision> predicted(const Machine& machine, const Triple& extents, int nodes,
                                      int fused) {
  model::HimenoCase like;
  like.extents = extents;
  like.fused = fused;
  like.access = {Executor::Device, Executor::Device, false};
  const auto ranked = divisions(extents, nodes * machine.gpus_of_node,
                                {fused, machine.gpus_of_node, /*staged=*/false});
  if (ranked.empty()) return {};
  const std::array<int, 3> ranks = ranked.front().ranks;
  const auto pass =
      pass_on_ranks(like, ranks, machine.gpus_of_node, machine.rates, machine.messages);
  const double bytes = (model::arrays_of_p + model::arrays_of_coefficients) *
                       largest_part(like, ranks).array_bytes();
  if (machine.rates.device_bytes && bytes > *machine.rates.device_bytes) return {};
  return BestDivision{ranks, 1e-9 * himeno::original_flops(extents) * fused / pass.total, pass};
}

std::string why_slow(const model::PassOnRanks& pass, int fused) {
  if (pass.messages > pass.sweeps)
    return fmt::format("a pass's messages take {:.0f} us, its sweeps {:.0f} us",
                       1e6 * pass.messages, 1e6 * pass.sweeps);
  if (pass.launch > 0.5 * pass.total)
    return fmt::format("starting kernels takes {:.0f} % of a pass", 100 * pass.launch / pass.total);
  return fused == 1 ? "kernels and messages have too little to do to hide what starting them costs"
                    : fmt::format("messages of {:.0f} us stand between passes of {:.0f} us",
                                  1e6 * pass.messages, 1e6 * pass.sweeps);
}

/// A curve of one kind of sweep: the cells of its columns, a row for each number of nodes, and the
/// sentence on where it ends.
struct Curve {
  std::string kind;
  std::vector<std::array<Record, 4>> cells;
  std::string end;
  /// Of the numbers of nodes that the grid allows.
  std::vector<double> ranks = {}, tflops = {}, efficiency = {};
};

Curve curve(const Machine& machine, const Triple& extents, int fused, bool weak) {
  constexpr double paying = 0.5;
  Curve out;
  out.kind = fused == 1 ? "single" : fmt::format("temporal:{}", fused);
  double one = 0;
  int last_good = 0;
  std::string too_small, unfit;
  for (const int nodes : machine.nodes) {
    const int ranks = nodes * machine.gpus_of_node;
    const auto each = predicted(machine, weak ? grown(extents, ranks) : extents, nodes, fused);
    if (!each) {
      out.cells.push_back({nullptr, nullptr, nullptr, nullptr});
      if (one == 0)
        unfit = fmt::format("; on {} it does not fit the GPUs' memory, or is too small",
                            ranks == 1 ? "1 rank" : fmt::format("{} ranks", ranks));
      else if (too_small.empty())
        too_small = fmt::format("; the grid is too small for {} ranks", ranks);
      continue;
    }
    if (one == 0) one = each->gflops / nodes;
    const double efficiency = each->gflops / nodes / one;
    out.cells.push_back({ranks_text(each->ranks), each->gflops / 1e3, efficiency,
                         each->pass.messages / each->pass.total});
    out.ranks.push_back(ranks);
    out.tflops.push_back(each->gflops / 1e3);
    out.efficiency.push_back(efficiency);
    if (efficiency >= paying)
      last_good = nodes;
    else if (out.end.empty())
      out.end = fmt::format("under half of its efficiency from {} nodes on: {}", nodes,
                            why_slow(each->pass, fused));
  }
  if (one == 0)
    out.end = "no number of these nodes can hold this grid";
  else if (out.ranks.size() == 1)
    out.end = "only one of these numbers of nodes is possible";
  else if (out.end.empty())
    out.end = fmt::format("efficiency stays above one half to {} nodes", last_good);
  if (one != 0) out.end += unfit + too_small;
  return out;
}

std::vector<Curve> curves_of(const Machine& machine, const Triple& extents, bool weak) {
  std::vector<Curve> curves;
  for (const int fused : fused_sweeps) curves.push_back(curve(machine, extents, fused, weak));
  return curves;
}

Table scaling_table(const Machine& machine, const Triple& extents, bool weak) {
  Table table{.title = fmt::format("{}, {} scaling: {}{}", machine.description.name,
                                   weak ? "weak" : "strong", himeno::size_name(extents),
                                   weak ? " a GPU" : ""),
              .columns = {{"nodes", Show::Count}}};
  const std::vector<Curve> curves = curves_of(machine, extents, weak);
  for (const Curve& each : curves) {
    table.columns.insert(table.columns.end(), {{"ranks", Show::Text, "", each.kind},
                                               {"", Show::Number, "TFLOPS", each.kind},
                                               {"efficiency", Show::Percent, "", each.kind},
                                               {"messages", Show::Percent, "", each.kind}});
    table.note += fmt::format("{}{}: {}.", table.note.empty() ? "" : " ", each.kind, each.end);
  }
  for (std::size_t n = 0; n < machine.nodes.size(); ++n) {
    std::vector<Record> row{machine.nodes[n]};
    for (const Curve& each : curves)
      row.insert(row.end(), each.cells[n].begin(), each.cells[n].end());
    table.rows.push_back(row);
  }
  return table;
}

std::string on_messages(const Machine& machine) {
  const model::MessageRates& messages = machine.messages;
  const std::string in_node =
      machine.gpus_of_node > 1
          ? fmt::format(" within a node {:.0f} GB/s,", messages.in_node.rate / model::giga)
          : "";
  return fmt::format(
      "{}: a GPU a rank, {} a node;{} between nodes {:.1f} GB/s one way ({}) and {:.0f} us a "
      "message (assumed).",
      machine.description.name, machine.gpus_of_node, in_node,
      messages.between_nodes.rate / model::giga, messages.source,
      1e6 * messages.between_nodes.latency);
}

/// Nothing where the site gives one job as many nodes as were asked for.
std::string beyond_a_job(const Machine& machine) {
  const int most = machine.nodes.back();
  const int a_job = count_of(machine.description, "nodes_a_job", most);
  if (a_job >= most) return "";
  return fmt::format(
      "{}: no job gets more than {} nodes there ({}), so the rows beyond are of none.",
      machine.description.name, a_job, machine.description.parameters.at("nodes_a_job").source);
}

/// @throws Failure(Usage) for a grid whose operations the original counts as none
Triple size_of_scaling(const PredictedRun& run) {
  const Triple extents = size_of(run);
  if (himeno::original_flops(extents) <= 0)
    throw Failure(ExitCode::Usage, "--nodes: every extent of --size has to be at least 4");
  return extents;
}

std::vector<Machine> described_machines(const PredictedRun& run,
                                        const std::vector<MachineDescription>& machines) {
  std::vector<Machine> all;
  for (const MachineDescription& each : machines)
    all.push_back({each, overlay(model::assumed_rates(), model::rates_from_description(each)),
                   model::message_rates_from_description(each), count_of(each, "gpus_per_node", 1),
                   node_counts(most_nodes(each, run.nodes.value_or(0)))});
  return all;
}

}  // namespace

Section predicted_scaling(const PredictedRun& run,
                          const std::vector<MachineDescription>& machines) {
  const Triple extents = size_of_scaling(run);
  Section section{.title = "PREDICTION, not measured: scaling over nodes, arrays in device memory"};
  for (const Machine& machine : described_machines(run, machines)) {
    for (const bool weak : {false, true})
      section.tables.push_back(scaling_table(machine, extents, weak));
    section.paragraphs.push_back(on_messages(machine));
    if (const std::string limit = beyond_a_job(machine); !limit.empty())
      section.paragraphs.push_back(limit);
  }
  section.paragraphs.emplace_back(
      "Messages: their time alone, over that of a pass. Beside single sweeps they go on unseen "
      "until they take longer; fused sweeps wait for them.");
  return section;
}

Record scaling_to_draw(const PredictedRun& run, const std::vector<MachineDescription>& machines) {
  const Triple extents = size_of_scaling(run);
  Record curves = Record::array();
  for (const Machine& machine : described_machines(run, machines))
    for (const bool weak : {false, true})
      for (const Curve& drawn : curves_of(machine, extents, weak)) {
        if (drawn.ranks.size() < 2) continue;
        curves.push_back({{"weak", weak},
                          {"side", machine.description.name},
                          {"label", himeno::size_name(extents) + ", " + drawn.kind},
                          {"unit", "TFLOPS"},
                          {"ranks", drawn.ranks},
                          {"processors", drawn.ranks},
                          {"rates", drawn.tflops},
                          {"predicted", std::vector<Record>(drawn.ranks.size())},
                          {"efficiency", drawn.efficiency}});
      }
  return curves;
}

}  // namespace memstencil::compare
