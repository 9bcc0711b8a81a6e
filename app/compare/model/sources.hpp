// Where rates come from: a machine's description, a file of assumptions, a run of membench.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/model/rates.hpp"
#include "app/compare/run.hpp"

#include <string>

namespace memstencil::compare::model {

/// The fraction of a data sheet's figure that machines reach: 0.88 (an H100's 3350 and 64 GB/s:
/// 0.90 and 0.83 to 0.86; a GH200's 4000, 512 and 450: 0.80 to 0.95, [tsukuba-thesis-2024] and
/// [fusco-2024]).
inline constexpr double reached_of_theory = 0.88;

/// Only what the description has. Figures of kind "theory" are taken times reached_of_theory,
/// measured ones as they are. A measured figure of the link is of copy engines; kernels have their
/// own. Parameters that are read: address_translation, gpu_memory_bytes, gpu_multiprocessors,
/// access_counter_threshold, migration_granularity_bytes, and in GB/s fault_migration_gbs,
/// fault_migration_back_gbs, prefetch_gbs, access_counter_migration_gbs.
/// @throws Failure(Usage) for a parameter of another kind
MachineRates described_rates(const MachineDescription& machine);

/// --assume FILE.toml: `name`, `source`, [rates] in GB/s, [pages] with {start_us, ns_per_byte} for
/// each "OPERATION, SPACE", [messages.in_node] and [messages.between_nodes] with `latency_us`,
/// `gbs`.
/// @throws Failure(Usage) with one line that names the file, the line and what is valid
MachineRates assumed_rates(const std::string& path);

/// Medians of the largest size that a membench run measured; probes that were skipped or not run
/// leave their figures absent.
/// @throws Failure(Other) where a figure is no number above 0
MachineRates probed_rates(const Run& run);

}  // namespace memstencil::compare::model
