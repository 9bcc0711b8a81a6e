// transpose as a whole: command line, plan, runs, report.
#pragma once

#include "app/common/communicator.hpp"
#include "app/common/failure.hpp"

namespace memstencil::transpose {

/// Collective. @throws Failure, mostly collective ones
ExitCode run_transpose(int argc, const char* const* argv, const Communicator& communicator);

}  // namespace memstencil::transpose
