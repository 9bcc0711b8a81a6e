// The rates of a machine that nobody has measured: from its description.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/model/machine_rates.hpp"

namespace memstencil::model {

/// The fraction of a data sheet's figure that machines reach: 0.88 (an H100's 3350 and 64
/// GB/s: 0.90 and 0.83 to 0.86; a GH200's 4000, 512 and 450: 0.80 to 0.95,
/// [tsukuba-thesis-2024] and [fusco-2024]).
inline constexpr double reached_of_theory = 0.88;

/// Only what the description has. Figures of kind "theory" are taken times reached_of_theory,
/// measured ones as they are. Parameters that are read: address_translation, gpu_memory_bytes,
/// gpu_multiprocessors, access_counter_threshold, migration_granularity_bytes, and in GB/s
/// fault_migration_gbs, fault_migration_back_gbs, prefetch_gbs, access_counter_migration_gbs.
/// @throws Failure(Usage) for a parameter of another kind
MachineRates rates_from_description(const MachineDescription& machine);

}  // namespace memstencil::model
