// Strong and weak scaling: runs of one problem that differ in their number of ranks.
#pragma once

#include "app/compare/side.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

struct ScalingRow {
  std::string side;
  bool weak = false;
  std::string curve;  ///< what all points share
  std::string unit;
  const Group* group = nullptr;
  int ranks = 1, nodes = 1;
  double processors = 1;  ///< GPUs, or cores where the host computes
  std::string messages;   ///< their path
  double rate = 0;
  double speedup = 1;     ///< over the fewest ranks: T1 / Tn, of weak scaling times their work
  double efficiency = 1;  ///< rate a processor over that of the fewest ranks
  std::optional<double> exposed =
      {};  ///< fraction of the steps' time that messages took beyond them
};

/// Curve by curve, rising in ranks; of several paths of the messages the fastest.
std::vector<ScalingRow> scaling_rows(const std::vector<Side>& sides);

/// A sentence for each curve: where more ranks do not pay.
std::vector<std::string> where_more_stop_paying(const std::vector<ScalingRow>& rows);

}  // namespace memstencil::compare
