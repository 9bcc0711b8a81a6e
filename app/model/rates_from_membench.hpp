// The rates of a machine that membench has measured.
#pragma once

#include "app/model/measured.hpp"
#include "app/model/machine_rates.hpp"

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

/// All membench runs of this machine in a results file, the newest figure winning; where none is
/// of this machine, those of the machine that the newest run is of, with a warning. Machines are
/// told apart by machine_title().
/// @throws Failure(Other) for a file that cannot be read or a run without a member that is
///         needed; Failure(Verification) for a number that is not finite; Failure(Usage) for a
///         file without a membench run
ProbedRates rates_from_file(const std::string& path, const MachineFacts& machine);

}  // namespace memstencil::model
