// The rates of a machine that membench has measured.
#pragma once

#include "app/compare/model/machine_rates.hpp"
#include "app/compare/model/measured.hpp"

namespace memstencil::model {

/// The rates found by a membench run; probes that were skipped or not run leave their figures
/// absent. Medians, of the largest size that was measured.
/// @throws Failure(Other) where a probe or the machine lacks a figure that is needed
MachineRates rates_from_membench(const probed::Result& run);

}  // namespace memstencil::model
