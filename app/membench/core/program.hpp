// membench as a whole: command line, refusals, the chosen probes one after the other, report.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/membench/core/options.hpp"
#include "app/membench/core/result_record.hpp"

namespace memstencil::membench {

/// The probe's table, or why this machine cannot give one.
/// @throws Failure that names the probe: (Verification) where its data are wrong; (Machine) where
/// one
///   rank of several failed alone
ProbeRecord run_probe(const Chosen& chosen, const Setup& setup, const MachineFacts& machine);

/// Collective. @throws Failure, mostly collective ones
ExitCode run_membench(int argc, const char* const* argv, const Communicator& communicator);

}  // namespace memstencil::membench
