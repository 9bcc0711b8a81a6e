// The model of the applications, from a machine's rates: phases and each sweep of himeno and heat,
// iterations of transpose; and measured runs next to it.
#pragma once

#include "app/base/cli/numbers.hpp"
#include "app/compare/predict/phases.hpp"
#include "app/compare/read/side.hpp"

namespace memstencil::compare::model {

/// The ranks of a run on GPUs, between which messages go.
struct Ranks {
  Triple whole{};  ///< extents of the whole grid
  std::array<int, 3> ranks{1, 1, 1};
  int of_node = 1;
  std::string path;  ///< of the messages: "nccl", ...
};

/// One rank's part of a run, as far as its time depends on it.
struct GridCase : Placement {
  Stencil stencil = himeno;
  Triple extents{};   ///< of the arrays, I x J x K
  double points = 0;  ///< that a sweep updates
  std::int64_t iterations = 1;
  std::int64_t warm_up = 0;         ///< sweeps before the timed ones, in whole passes
  int fused = 1;                    ///< sweeps a pass
  bool packed = false;              ///< the coefficients are in one array
  std::int64_t step_planes = 64;    ///< that arrive at a time in streamed passes
  std::optional<Ranks> ranks = {};  ///< without them messages take no time

  std::string sweep() const;   ///< "single", "temporal:3"
  double array_bytes() const;  ///< of one, its rows padded
  double bytes() const { return stencil.arrays() * array_bytes(); }
};
/// Do fused sweeps of a GPU use this tile?
bool has_tile(int fused, const std::string& tile);

/// Of the extents, with all their inner points.
GridCase grid_case(const Stencil& stencil, const Triple& extents, const Placement& placement = {});
/// Operations of a sweep of the whole grid, as the program counts them.
double flops_of_sweep(const Stencil& stencil, const Triple& extents);

/// The time of each sweep; a pass counts evenly for the sweeps it fuses.
///
/// - In the executor's own memory a sweep moves near_bytes() a point, at a part of the copy
///   bandwidth.
/// - Over a link single sweeps read each coefficient once and p as often as tiles share its rows;
///   fused ones are streamed: planes cross once a pass, beside the sweeps of those that are here.
/// - Pages that the other processor touched first move in the first pass, at its faults; where they
///   are more than the GPU's memory, in every pass.
/// - Under ATS sweeps read what is far over the link, while access counters move regions of 2 MiB;
///   what has moved is read as device memory. What the GPU's memory cannot hold stays far.
///
/// Constants are measured on an H100: docs/lab/gpu-sweeps.md and docs/lab/placement-behind-pcie.md.
/// @throws Missing
Steps predict_sweeps(const GridCase& run, const MachineRates& rates);

/// The fraction of a fused pass after which messages leave, since points at other ranks are made
/// first; 1 where they are not: with neighbours in k.
/// @param part one rank's, of a grid that is divided between so many
double edges_share(const GridCase& part, const std::array<int, 3>& ranks,
                   const MachineRates& rates);

/// All phases of a run on one rank, which may be one of several.
Prediction predict(const GridCase& run, const MachineRates& rates);

/// Seconds of a pass of the rank that takes longest.
struct PassOnRanks {
  std::array<int, 3> ranks;
  double sweeps = 0;    ///< its points, with nothing beside
  double messages = 0;  ///< its halo, alone
  /// Together. On a GPU single sweeps go on while messages are under way: max(sweeps, messages);
  /// fused ones once the points at other ranks are made: max(sweeps, edges + messages).
  double total = 0;
};

/// The largest rank's part of the whole grid, its boundary included, as if it were a grid of its
/// own.
GridCase largest_part(const GridCase& whole, const std::array<int, 3>& ranks);

/// For each direction a message's latency, its bytes over the link in a node or the network between
/// nodes, and its packing. Planes of i are sent where they lie, rows of j are packed, and a face of
/// k has every point in a sector of its own. Ranks count with k fastest, and a node has `of_node`
/// that follow each other: so neighbours in k are the closest.
/// @param whole the grid, and sweeps a pass (the width of the halo), executor and memory of the run
/// @throws Missing
PassOnRanks pass_on_ranks(const GridCase& whole, const Ranks& ranks, const MachineRates& rates);

/// The decomposition of the grid whose pass is the shortest; nothing if the grid is too small.
/// @throws Missing
std::optional<PassOnRanks> best_decomposition(const GridCase& whole, int ranks, int of_node,
                                              const MachineRates& rates);

/// The bytes that an iteration of a variant moves.
struct TransposeVariant {
  std::string name;     ///< as --variant names it
  double link_bytes;    ///< over the link, where the matrices lie behind one: whole sectors
  double memory_bytes;  ///< read and written
};

/// A run of one shape on one rank.
struct TransposeCase : Placement {
  double a_bytes = 0, b_bytes = 0;  ///< of the matrices' memory
  double element_bytes = 4;
  std::int64_t iterations = 1;
  std::vector<TransposeVariant> variants = {};  ///< each makes all iterations, one after the other
};

/// All phases. In the GPU's own memory an iteration takes its bytes at the part of the
/// copy bandwidth that the variant was measured to reach, or its elements at the pace of shared
/// memory, whichever takes longer (docs/lab/transpose.md); over a link its sectors at the speed of
/// both ways at once; pages, access counters and matrices beyond the GPU's memory as with grids.
Prediction predict(const TransposeCase& run, const MachineRates& rates);

}  // namespace memstencil::compare::model

namespace memstencil::compare {

/// The whole run: of a transpose with all its variants. What no rate could predict has one phase,
/// which says why.
model::Prediction predict(const Sample& sample, const model::MachineRates& rates);

using ProbedRates = std::map<std::string, model::MachineRates>;
/// By the rates of its GPU: membench's, and what these leave open from the side's description.
/// @param probed of the side's runs
model::Prediction predict(const Side& side, const ProbedRates& probed, const Sample& sample);

/// The speed of the sweeps, in the unit of the sample; nothing if they are not predicted.
std::optional<double> predicted_rate(const model::Prediction& prediction, const Sample& sample);

/// [{side, case, predicted, measured, error, causes, not_predicted, ...}] of the sides that
/// membench has measured, a row a case.
Record model_rows(const std::vector<Side>& sides);

}  // namespace memstencil::compare
