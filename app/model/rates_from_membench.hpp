// The rates of a machine that membench has measured.
#pragma once

#include "app/common/record.hpp"
#include "app/model/machine_rates.hpp"

#include <string>

namespace memstencil::model {

/// What a membench run's record (docs/results-format.md) tells; probes that were skipped or not run leave
/// their figures absent. Medians, of the largest size that was measured.
/// @throws Failure(Other) where a member is missing or of another kind
MachineRates rates_from_membench(const Record& run);

struct ProbedRates {
  MachineRates rates;
  std::string warning;  ///< why they may not be this machine's; empty: they are
};

/// All membench runs of this machine in a results file, the newest figure winning; where none is of this
/// machine, those of the machine that the newest run is of, with a warning.
/// @param machine this machine's facts, as a record's `machine`
/// @throws Failure(Other) for a file that cannot be read or a run without a member that is needed;
///         Failure(Verification) for a number that is not finite; Failure(Usage) for a file without a
///         membench run
ProbedRates rates_from_file(const std::string& path, const Record& machine);

/// Do two records' `machine` describe machines of the same kind: GPU and processor?
bool same_machine(const Record& a, const Record& b);
/// "NVIDIA H100 80GB HBM3, Intel Xeon ...", or the processor alone.
std::string machine_title(const Record& machine);

}  // namespace memstencil::model
