// The probes' functions, one file each: app/membench/NAME.cpp.
#pragma once

#include "app/membench/core/probe.hpp"

#include <string_view>

namespace memstencil::membench {

ProbeResult run_link(const Settings& settings);
ProbeResult run_patterns(const Settings& settings);
ProbeResult run_migration(const Settings& settings);
ProbeResult run_pages(const Settings& settings);

// Native CUDA: in a build that has it.
ProbeResult run_warp(const Settings& settings);
ProbeResult run_atomics(const Settings& settings);
ProbeResult run_registers(const Settings& settings);
ProbeResult run_issue(const Settings& settings);
ProbeResult run_copy(const Settings& settings);
ProbeResult run_latency(const Settings& settings);
ProbeResult run_shared(const Settings& settings);

/// The function of a probe that is native CUDA; empty in a build without CUDA (cuda_probes.cpp or
/// cuda_probes_none.cpp, as CMake chooses).
Run cuda_probe(std::string_view name);

}  // namespace memstencil::membench
