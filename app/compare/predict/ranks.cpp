// The model of a grid code on several ranks: a pass of the slowest one, its messages included.
#include "app/compare/predict/applications.hpp"

#include <algorithm>

namespace memstencil::compare::model {

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
double longest_halo(const GridCase& part, const Ranks& ranks, const MachineRates& rates) {
  constexpr int enough = 512;
  const auto& [i, j, k] = ranks.ranks;
  const std::array<int, 3> stride{j * k, k, 1};
  Path in_node, between;
  if (i * j * k > 1 && ranks.of_node > 1) in_node = path_of(rates, ranks.path, false);
  if (i * j * k > ranks.of_node) between = path_of(rates, ranks.path, true);
  // Of the messages with so many neighbours on this node and on others.
  const auto direction = [&](std::size_t d, int here, int elsewhere) {
    double face = part.stencil.element_bytes * part.fused;
    for (std::size_t other = 0; other < 3; ++other)
      if (other != d) face *= static_cast<double>(part.extents[other] - 2 + 2 * part.fused);
    const double wire = std::max(in_node.seconds(here * face), between.seconds(elsewhere * face));
    const double packed =
        packing[d] > 0 ? start_packing + 2 * (here + elsewhere) * face * packing[d] : 0;
    return wire + packed;
  };
  const int middle = (i / 2 * j + j / 2) * k + k / 2;
  double most = 0;
  for (int rank = std::max(0, middle - enough); rank < std::min(i * j * k, middle + enough);
       ++rank) {
    double sum = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const int position = rank / stride[d] % ranks.ranks[d];
      int here = 0, elsewhere = 0;
      for (const int side : {-1, 1}) {
        if (position + side < 0 || position + side >= ranks.ranks[d]) continue;
        const int peer = rank + side * stride[d];
        ++(peer / ranks.of_node == rank / ranks.of_node ? here : elsewhere);
      }
      if (here + elsewhere > 0) sum += direction(d, here, elsewhere);
    }
    most = std::max(most, sum);
  }
  return most;
}

bool allowed(const Triple& extents, const std::array<int, 3>& ranks, int halo_width) {
  for (std::size_t d = 0; d < 3; ++d)
    if ((extents[d] - 2) / ranks[d] < (ranks[d] > 1 ? halo_width : 1)) return false;
  return true;
}

}  // namespace

GridCase largest_part(const GridCase& whole, const std::array<int, 3>& ranks) {
  GridCase part = whole;
  part.points = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t points = (whole.extents[d] - 3) / ranks[d] + 1;
    part.extents[d] = points + 2;
    part.points *= static_cast<double>(points);
  }
  return part;
}

PassOnRanks pass_on_ranks(const GridCase& whole, const Ranks& ranks, const MachineRates& rates) {
  GridCase part = largest_part(whole, ranks.ranks);
  part.iterations = 3L * part.fused;
  part.ranks = ranks;
  const TimeByCause sweeps = predict_sweeps(part, rates).back() * part.fused;
  PassOnRanks out{ranks.ranks, sweeps.total(), longest_halo(part, ranks, rates)};
  out.total = out.sweeps + out.messages;  // in turns
  const bool near_fused = part.fused > 1 && home(part.space) == Home::Gpu;
  if (out.messages > 0 && part.fused == 1)
    out.total = std::max(out.sweeps + split_sweep, out.messages);
  else if (near_fused && ranks.path == "peer")  // it stores its halo itself, as app/grid/halo.cpp
    out.total = out.sweeps + signals;
  else if (near_fused && ranks.path != "nccl")  // copy engines carry it while other parts run
    out.total =
        std::max(out.sweeps, edges_share(part, ranks.ranks, rates) * out.sweeps + out.messages);
  return out;
}

std::optional<PassOnRanks> best_decomposition(const GridCase& whole, int ranks, int of_node,
                                              const MachineRates& rates) {
  std::optional<PassOnRanks> best;
  // If sweeps hide all, messages tell decompositions apart.
  const auto seconds = [](const PassOnRanks& pass) { return pass.total + 0.01 * pass.messages; };
  for (int i = ranks; i >= 1; --i)
    for (int j = ranks / i; j >= 1 && ranks % i == 0; --j) {
      if (ranks / i % j != 0) continue;
      const std::array<int, 3> each{i, j, ranks / i / j};
      if (!allowed(whole.extents, each, whole.fused)) continue;
      const PassOnRanks pass = pass_on_ranks(whole, {whole.extents, each, of_node, ""}, rates);
      if (!best || seconds(pass) < seconds(*best)) best = pass;
    }
  return best;
}

}  // namespace memstencil::compare::model
