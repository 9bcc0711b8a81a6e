// Facts of NVIDIA's driver that CUDA does not tell: limits, clocks,
// addressing mode, page migration.
#pragma once

#include "app/base/machine/machine_facts.hpp"
#include "memory_spaces/system_reach.hpp"

#include <filesystem>
#include <optional>

namespace memstencil {

/// The facts of a GPU, or why the driver does not tell them.
MachineFacts::Driver driver_facts(const Nvml& gpu);

/// Parameters of the module nvidia_uvm that decide on migration and address translation, as text
/// under their own names; "not readable" where there are none. Files are read under `root`.
Record uvm_parameters(const std::filesystem::path& root);

/// Do access counters move pages to a GPU with these parameters? By default under ATS alone, and to
/// a NUMA node alone. Nothing where the parameters do not tell.
std::optional<bool> counters_migrate(SystemReach reach, const Record& uvm_parameters);

}  // namespace memstencil
