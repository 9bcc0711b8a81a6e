// The rates of a machine that membench has measured.
#pragma once

#include "app/compare/model/machine_rates.hpp"
#include "app/compare/model/measured.hpp"

#include <string>

namespace memstencil::model {

/// The rates found by a membench run; probes that were skipped or not run leave their figures
/// absent. Medians, of the largest size that was measured.
/// @throws Failure(Other) where a probe or the machine lacks a figure that is needed
MachineRates rates_from_membench(const probed::Result& run);

struct ProbedRates {
  MachineRates rates;
  std::string warning;  ///< why they may not be this machine's; empty: they are
};

/// The rates of a membench result, with a warning where it is of another machine. Machines are told
/// apart by machine_title().
/// @throws Failure(Other) for a file that cannot be read or lacks a member that is needed;
///         Failure(Verification) for a number that is not finite; Failure(Usage) for a result that
///         is not of membench
ProbedRates rates_from_file(const std::string& path, const MachineFacts& machine);

}  // namespace memstencil::model
