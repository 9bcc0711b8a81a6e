// The rates of this machine by a trial of at most two seconds.
#pragma once

#include "app/compare/model/machine_rates.hpp"

namespace memstencil::model {

/// Small copies and first touches by the program's own executors in its own memory
/// spaces, 256 MiB or less each. What does not fit the time or the memory stays absent.
/// Kokkos must run; one rank calls it.
MachineRates trial_rates();

}  // namespace memstencil::model
