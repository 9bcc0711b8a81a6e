// Predicted scaling of a grid code over the nodes of a machine that is only described.
#include "app/compare/predicted_scaling.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/compare/model/ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace memstencil::compare {

namespace {

using model::GridCase;
using model::Triple;

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

int most_nodes(const MachineDescription& machine, std::int64_t asked, int gpus) {
  const int all = asked > 0 ? static_cast<int>(asked) : count_of(machine, "nodes", 0);
  if (all == 0)
    throw Failure(ExitCode::Usage,
                  fmt::format("--nodes 0: the description of {} has no parameter 'nodes'; give a "
                              "number of nodes",
                              machine.name));
  if (all > most_ranks / gpus)
    throw Failure(
        ExitCode::Usage,
        fmt::format("--nodes: {} nodes of {} GPUs are more than {} ranks", all, gpus, most_ranks));
  return all;
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

/// One curve: rows for 1, 2, 4, ... nodes and the last, and the sentence on where it ends.
class Curve {
public:
  Curve(const model::Stencil& stencil, const Triple& extents, bool weak, int fused)
      : stencil_(stencil), extents_(extents), weak_(weak), fused_(fused) {}

  void add(int nodes, int gpus, const model::MachineRates& rates, Record& rows) {
    const int ranks = nodes * gpus;
    Record row{{"scaling", weak_ ? "weak" : "strong"},
               {"curve", name()},
               {"nodes", nodes},
               {"ranks", ranks}};
    row["not_predicted"] = fill(nodes, ranks, gpus, rates, row);
    rows.push_back(row);
  }
  std::string sentence() const {
    return name() + (weak_ ? ", weak: " : ", strong: ") + end() + ".";
  }

private:
  std::string end() const {
    if (!end_.empty()) return end_;
    return points_ < 2 ? "no two numbers of nodes are predicted"
                       : fmt::format("efficiency stays above one half to {} nodes", last_good_);
  }
  std::string name() const {
    return fmt::format("{} {}{}, {}", stencil_.program, fmt::join(extents_, "x"),
                       weak_ ? " a GPU" : "",
                       fused_ == 1 ? "single" : fmt::format("temporal:{}", fused_));
  }
  /// @returns why it is not predicted
  std::string fill(int nodes, int ranks, int gpus, const model::MachineRates& rates, Record& row) {
    constexpr double paying = 0.5;
    GridCase whole = grid_case(stencil_, weak_ ? grown(extents_, ranks) : extents_);
    whole.fused = fused_;
    try {
      const auto best = best_division(whole, ranks, gpus, rates);
      if (!best) return "the grid is too small";
      if (rates.device_bytes && largest_part(whole, best->ranks).bytes() > *rates.device_bytes)
        return "a rank's part does not fit the GPU's memory";
      const double rate =
          1e-12 * flops_of_sweep(stencil_, whole.extents) * fused_ / best->pass.total;
      if (first_ == 0) first_ = rate / nodes, first_nodes_ = nodes;
      const double efficiency = rate / nodes / first_;
      ++points_;
      row["division"] = fmt::format("{}", fmt::join(best->ranks, "x"));
      row["rate"] = rate;
      row["unit"] = "TFLOPS";
      row["speedup"] = rate / (first_ * first_nodes_);
      row["efficiency"] = efficiency;
      row["messages"] = best->pass.messages / best->pass.total;
      if (efficiency >= paying)
        last_good_ = nodes;
      else if (end_.empty())
        end_ = fmt::format("under half of its efficiency from {} nodes on: {}", nodes,
                           why_slow(best->pass, fused_));
      return "";
    } catch (const model::Missing& missing) {
      return std::string("nobody gives ") + missing.what();
    }
  }

  const model::Stencil& stencil_;
  Triple extents_;
  bool weak_;
  int fused_;
  double first_ = 0;
  int points_ = 0, first_nodes_ = 1, last_good_ = 0;
  std::string end_;
};

}  // namespace

Triple size_of(const PredictedTask& task) {
  static const std::map<std::string, Triple> names{{"XS", {32, 32, 64}},
                                                   {"S", {64, 64, 128}},
                                                   {"M", {128, 128, 256}},
                                                   {"L", {256, 256, 512}},
                                                   {"XL", {512, 512, 1024}}};
  const std::string usual = task.program == "heat" ? "768x768x768" : "XL";
  const std::string size = task.size.empty() ? usual : task.size;
  if (const auto named = names.find(size); named != names.end() && task.program == "himeno")
    return named->second;
  try {
    const std::vector<std::string> parts = split(size, 'x');
    Triple extents{};
    if (parts.size() != 3) throw std::invalid_argument(size);
    for (std::size_t d = 0; d < 3; ++d) extents[d] = parse_integer(parts[d], 3, 2147483647);
    return extents;
  } catch (const std::invalid_argument&) {
    throw Failure(ExitCode::Usage,
                  fmt::format("--size: '{}' is not a size: valid are {}IxJxK, each 3 to 2147483647",
                              size, task.program == "heat" ? "" : "XS, S, M, L, XL and "));
  }
}

Record predicted_scaling(const PredictedTask& task, const MachineDescription& machine,
                         const model::MachineRates& rates, std::vector<std::string>& sentences) {
  const model::Stencil& stencil = task.program == "heat" ? model::heat : model::himeno;
  const Triple extents = size_of(task);
  if (flops_of_sweep(stencil, extents) <= 0)
    throw Failure(ExitCode::Usage, "--nodes: every extent of --size has to be at least 4");
  const int gpus = count_of(machine, "gpus_per_node", 1);
  const int most = most_nodes(machine, *task.nodes, gpus);
  std::vector<int> nodes;
  for (int n = 1; n < most; n *= 2) nodes.push_back(n);
  nodes.push_back(most);
  Record rows = Record::array();
  for (const bool weak : {false, true})
    for (const int fused : {1, 3}) {
      if (fused > 1 && stencil.coefficients == 0) continue;  // heat has single sweeps alone
      Curve curve(stencil, extents, weak, fused);
      for (const int n : nodes) curve.add(n, gpus, rates, rows);
      sentences.push_back(machine.name + ", " + curve.sentence());
    }
  const int a_job = count_of(machine, "nodes_a_job", most);
  if (a_job < most)
    sentences.push_back(fmt::format(
        "{}: no job gets more than {} nodes there ({}), so the rows beyond are of none.",
        machine.name, a_job, machine.parameters.at("nodes_a_job").source));
  return rows;
}

}  // namespace memstencil::compare
