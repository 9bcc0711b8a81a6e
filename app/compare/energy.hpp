// Energy to solution of each case, and the runs whose clocks were held down.
#pragma once

#include "app/compare/side.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// Medians over the runs of a case.
struct EnergyRow {
  std::string side, label, step;
  std::optional<double> gpu_joules, host_joules;  ///< of the timed part
  std::optional<double> joules_a_step, watts, gflops_a_watt;
};
/// Of every case that told any figure.
std::vector<EnergyRow> energy_rows(const std::vector<Side>& sides);

/// "h100: in 2 of 5 runs the GPU's clocks were held down (power cap), and so was its speed."
std::vector<std::string> throttled(const std::vector<Side>& sides);

}  // namespace memstencil::compare
