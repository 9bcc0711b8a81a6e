// membench as a whole: command line, refusals, probes, report.
#pragma once

#include "app/common/communicator.hpp"
#include "app/common/failure.hpp"

namespace memstencil::membench {

/// Collective. @throws Failure, mostly collective ones
ExitCode run_membench(int argc, const char* const* argv, const Communicator& communicator);

}  // namespace memstencil::membench
