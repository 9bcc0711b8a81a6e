// Strong and weak scaling: himeno and transpose runs that differ in their number of ranks.
#pragma once

#include "app/compare/report.hpp"
#include "app/compare/side.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace memstencil::compare {

/// One curve: the same problem (strong), or the same points a rank (weak), on more and more ranks.
struct ScalingCurve {
  bool weak = false;
  std::string side, label, unit;
  std::vector<double> ranks = {}, rates = {};  ///< rising in ranks; at least two points
  std::vector<double> processors = {};         ///< cores where the host computes, GPUs otherwise
  std::vector<std::string> messages = {};      ///< the path of each point's messages
  std::vector<std::optional<double>> predicted = {};              ///< rates
  bool by_gpus = false;                                           ///< is each rank a GPU?
  std::set<std::string> predicted_from = {}, not_predicted = {};  ///< rates; what has none, and why
  /// Rate over cores or GPUs, against that of the fewest ranks: 1 is perfect.
  std::vector<double> efficiency() const;
  /// Predicted over measured rate of a point, less 1.
  std::optional<double> error(std::size_t n) const;
  /// "from 4 GPUs on, at 43 % of the efficiency": none pays from there to the last one; empty
  /// where the last one pays.
  std::string where_more_stop_paying() const;
};

/// Each point with its prediction, where known_rates() of the side and its messages allow one.
/// @throws Failure(Other) as Run's members do
std::vector<ScalingCurve> scaling_curves(const std::vector<Side>& sides);

/// Where more ranks stop paying, of all curves, in one sentence; empty where there are none.
std::string where_more_stop_paying(const std::vector<ScalingCurve>& curves);

/// No rows where there are no curves.
Table scaling_table(const std::vector<ScalingCurve>& curves);

/// Of the summary: the most ranks of each curve; the fastest curves first.
Section scaling_section(const std::vector<Side>& sides);

}  // namespace memstencil::compare
