// membench as a whole: command line, refusals, the chosen probes one after the other, report.
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "app/common/runtime/failure.hpp"
#include "app/membench/core/result.hpp"

#include <functional>
#include <string>
#include <vector>

namespace memstencil::membench {

/// Collective. @throws Failure, mostly collective ones
ExitCode run_membench(int argc, const char* const* argv, const Communicator& communicator);

/// Runs each probe. Where several are chosen, one that this machine cannot run
/// is skipped with the reason.
/// @throws Failure(Verification) for a probe whose data are wrong, naming it; and where one probe
///         is chosen, Failure(Machine) with the reason why it cannot run
std::vector<ProbeRun> run_probes(const std::vector<const Probe*>& chosen, const Settings& settings,
                                 const std::function<void(const std::string&)>& progress);

/// @throws Failure(Machine) for a --size that no memory here can hold, before anything is allocated
void check_size(const Settings& settings);

}  // namespace memstencil::membench
