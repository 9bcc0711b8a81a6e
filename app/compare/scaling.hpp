// Strong and weak scaling: himeno and transpose runs that differ in their number of ranks.
#pragma once

#include "app/compare/report.hpp"
#include "app/compare/side.hpp"

#include <vector>

namespace memstencil::compare {

/// One curve: the same problem (strong), or the same points a rank (weak), on more and more ranks.
struct ScalingCurve {
  bool weak = false;
  std::string side, label, unit;
  std::vector<double> ranks = {}, rates = {};  ///< rising in ranks; at least two points
  std::vector<double> processors = {};         ///< cores where the host computes, GPUs otherwise
  std::vector<std::string> messages = {};      ///< the path of each point's messages
  /// Rate over cores or GPUs, against that of the fewest ranks: 1 is perfect.
  std::vector<double> efficiency() const;
};

std::vector<ScalingCurve> scaling_curves(const std::vector<Side>& sides);

/// No rows where there are no curves.
Table scaling_table(const std::vector<ScalingCurve>& curves);

/// Of the summary: the most ranks of each curve; the fastest curves first.
Section scaling_section(const std::vector<Side>& sides);

}  // namespace memstencil::compare
