// The best division of the grid into ranks: by the time that a pass of the slowest
// rank takes, messages included.
#pragma once

#include "app/compare/model/ranks_model.hpp"
#include "app/himeno/problem.hpp"

#include <array>
#include <string>
#include <vector>

namespace memstencil::himeno {

struct Division {
  std::array<int, 3> ranks;
  model::PassOnRanks pass;  ///< estimated

  /// Sweeps and messages one after the other: tells divisions apart also where the sweeps hide all
  /// messages.
  double seconds() const { return pass.sweeps + pass.messages; }
};

/// Every division that the grid allows, the best first; none where the grid is too small.
/// @param like sweeps a pass (the width of the halo), executor and memory of the run
std::vector<Division> divisions(const Triple& extents, int ranks, int ranks_of_node,
                                model::HimenoCase like, const model::MachineRates& rates,
                                const model::MessageRates& messages);
/// With the model's assumed rates, of messages by this path: good enough to compare divisions.
std::vector<Division> divisions(const Triple& extents, int ranks, int ranks_of_node,
                                const model::HimenoCase& like, const std::string& path = "");

/// "2x1x1, estimated at 0.43 ms a pass; next 1x2x1 at 0.45 ms"
std::string choice_text(const std::vector<Division>& ranked);

}  // namespace memstencil::himeno
