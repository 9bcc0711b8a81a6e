// Grid codes on several ranks: a pass of the slowest one, its messages included, and the scaling
// over the nodes of a machine that is only described.
#include "app/compare/predict/predictions.hpp"

namespace memstencil::compare {

namespace model {

namespace {

/// A single sweep in two parts on a GPU takes so much longer than in one: two kernels, and a queue
/// that waits for the other. (Two H200 take 2 us at M, 14 at L and 17 at XL, where 4 us are 4 and
/// 1 % of a sweep too few.)
constexpr double split_sweep = 4e-6;
/// Packing and unpacking: their start, and seconds a byte by direction (60 GB/s of a face of k on
/// an H200); planes of i are sent where they lie.
constexpr double start_packing = 10e-6;
constexpr std::array packing{0.0, 1.0 / 1e12, 1.0 / 60e9};

/// Signals after a fused pass that stored its halo itself: 6 to 8 us on four H200, and 13 to 16
/// after two kinds of pass of a millisecond and more (docs/lab/many-gpus.md).
constexpr double signals = 7e-6;

/// Seconds of the messages of the rank that waits longest. Of very many ranks those in the middle
/// are enough: they have all neighbours, and stand at every place of a node.
double longest_halo(const GridCase& run, const MachineRates& rates) {
  constexpr int enough = 512;
  const auto& [i, j, k] = run.ranks;
  const std::array<int, 3> stride{j * k, k, 1};
  const Triple part = run.part();
  Path in_node, between;
  if (i * j * k > 1 && run.of_node > 1) in_node = path_of(rates, run.path, false);
  if (i * j * k > run.of_node) between = path_of(rates, run.path, true);
  std::array<double, 3> face{};
  for (std::size_t d = 0; d < 3; ++d) {
    face[d] = run.stencil.element_bytes * run.fused;
    for (std::size_t other = 0; other < 3; ++other)
      if (other != d) face[d] *= static_cast<double>(part[other] - 2 + 2 * run.fused);
  }
  const int middle = (i / 2 * j + j / 2) * k + k / 2;
  double most = 0;
  for (int rank = std::max(0, middle - enough); rank < std::min(i * j * k, middle + enough);
       ++rank) {
    double sum = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const int position = rank / stride[d] % run.ranks[d];
      int here = 0, elsewhere = 0;
      for (const int side : {-1, 1}) {
        if (position + side < 0 || position + side >= run.ranks[d]) continue;
        const int peer = rank + side * stride[d];
        ++(peer / run.of_node == rank / run.of_node ? here : elsewhere);
      }
      if (here + elsewhere == 0) continue;
      const double packed =
          d > 0 ? start_packing + 2 * (here + elsewhere) * face[d] * packing[d] : 0;
      sum +=
          std::max(in_node.seconds(here * face[d]), between.seconds(elsewhere * face[d])) + packed;
    }
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

PassOnRanks pass_on_ranks(const GridCase& run, const MachineRates& rates) {
  GridCase passes = run;
  passes.iterations = 3L * run.fused;
  const TimeByCause sweeps = predict_sweeps(passes, rates).back() * run.fused;
  PassOnRanks out{sweeps.total(), longest_halo(run, rates)};
  out.total = out.sweeps + out.messages;  // in turns
  const bool near_fused = run.fused > 1 && home(run.space) == Home::Gpu;
  if (out.messages > 0 && run.fused == 1)
    out.total = std::max(out.sweeps + split_sweep, out.messages);
  else if (near_fused && run.path == "peer")  // it stores its halo itself, as app/grid/halo.cpp
    out.total = out.sweeps + signals;
  else if (near_fused && run.path != "nccl")  // copy engines carry it while other parts run
    out.total = std::max(out.sweeps, edges_share(run, rates) * out.sweeps + out.messages);
  return out;
}

std::optional<GridCase> best_decomposition(const GridCase& run, int ranks,
                                           const MachineRates& rates) {
  std::optional<GridCase> best;
  double least = 0;
  for (int i = ranks; i >= 1; --i)
    for (int j = ranks / i; j >= 1 && ranks % i == 0; --j) {
      if (ranks / i % j != 0) continue;
      GridCase divided = run;
      divided.ranks = {i, j, ranks / i / j};
      bool fits = true;  // a rank has the points that its neighbours' halos need
      for (std::size_t d = 0; d < 3; ++d)
        fits &= divided.ranks[d] == 1 || (run.extents[d] - 2) / divided.ranks[d] >= run.fused;
      if (!fits) continue;
      const PassOnRanks pass = pass_on_ranks(divided, rates);
      // If sweeps hide all, messages tell decompositions apart.
      const double seconds = pass.total + 0.01 * pass.messages;
      if (!best || seconds < least) best = divided, least = seconds;
    }
  return best;
}

}  // namespace model

namespace {

using model::GridCase;

/// The grid of which each rank has as many points as one of `extents`: the number of ranks is a
/// product of three factors as equal as possible, the largest for i.
Triple grown(Triple extents, int ranks) {
  Triple times{ranks, 1, 1};
  for (int k = 1; k * k * k <= ranks; ++k)
    for (int j = k; ranks % k == 0 && j * j <= ranks / k; ++j)
      if (ranks / k % j == 0) times = {ranks / k / j, j, k};
  for (std::size_t d = 0; d < 3; ++d) extents[d] = (extents[d] - 2) * times[d] + 2;
  return extents;
}

/// Fills the row of this grid. @returns why it is not predicted; empty: it is
std::string fill(const GridCase& whole, int ranks, const model::Ends& ends, Record& row) {
  // No decomposition of it fits a GPU of today, or what the plan of a pass can count.
  constexpr double largest_gpu = 1e13;
  const double memory = std::min(ends[0].device_bytes.value_or(largest_gpu), largest_gpu);
  const std::string no_room = "a rank's part does not fit the GPU's memory";
  if (whole.points() / ranks * whole.stencil.arrays() * whole.stencil.element_bytes > memory)
    return no_room;
  try {
    const auto best = best_decomposition(whole, ranks, ends[0]);
    if (!best) return "the grid is too small";
    if (best->bytes() > memory) return no_room;
    const auto rate = [&](model::End end) {
      return 1e-9 * whole.flops() * whole.fused / pass_on_ranks(*best, ends[end]).total;
    };
    const model::PassOnRanks pass = pass_on_ranks(*best, ends[0]);
    row["division"] = fmt::format("{}", fmt::join(best->ranks, "x"));
    row["rate"] = rate(model::Usual);
    row["rates"] = {rate(model::Slow), rate(model::Fast)};
    row["points"] = whole.points() * whole.fused / pass.total;
    row["exposed_messages"] = 1 - pass.sweeps / pass.total;
    return "";
  } catch (const model::Missing& missing) {
    return std::string(missing.what()) + " is not given";
  }
}

/// A row for each number of nodes, 1, 2, 4, ... and the last; speedup and efficiency are those over
/// the first one predicted.
void add_curve(const GridCase& one, bool weak, int most, const MachineDescription& machine,
               const model::Ends& rates, Record& rows) {
  const std::string name =
      fmt::format("{} {}{}, {}", one.stencil.program, fmt::join(one.extents, "x"),
                  weak ? " a GPU" : "", model::sweep_name(one.fused));
  double points = 0, first_ranks = 0;
  for (int nodes = 1, last = 0; last < most; last = nodes, nodes = std::min(2 * nodes, most)) {
    const int ranks = nodes * one.of_node;
    GridCase whole = one;
    if (weak) whole.extents = grown(one.extents, ranks);
    Record row{{"side", machine.name}, {"scaling", weak ? "weak" : "strong"},
               {"curve", name},        {"ranks", ranks},
               {"nodes", nodes},       {"processors", ranks},
               {"unit", "GFLOPS"}};
    row["not_predicted"] = fill(whole, ranks, rates, row);
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
  static_cast<model::Placement&>(one) = {};  // in device memory
  one.of_node = model::count_of(machine, "gpus_per_node").value_or(1);
  const std::int64_t most = asked > 0 ? asked : model::count_of(machine, "nodes").value_or(0);
  if (most == 0 || most > model::most_counted / one.of_node)
    throw Failure(ExitCode::Usage,
                  fmt::format("--nodes {}: {}: give a number of nodes with at most {} GPUs", asked,
                              most == 0 ? "the description of " + machine.name + " has no 'nodes'"
                                        : fmt::format("{} nodes of {} GPUs", most, one.of_node),
                              model::most_counted));
  Record rows = Record::array();
  for (const bool weak : {false, true})
    for (const int fused : kinds) {
      one.fused = fused;
      add_curve(one, weak, static_cast<int>(most), machine, rates, rows);
    }
  if (const std::int64_t a_job = model::count_of(machine, "nodes_a_job").value_or(most);
      a_job < most)
    notes.push_back(fmt::format(
        "{}: no job gets more than {} nodes there ({}), so the rows beyond are of none.",
        machine.name, a_job, machine.parameters.at("nodes_a_job").source));
  return rows;
}

}  // namespace memstencil::compare
