// transpose as a whole: command line, plan, runs, report.
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "app/common/runtime/failure.hpp"

namespace memstencil::transpose {

/// Collective. @throws Failure, mostly collective ones
ExitCode run_transpose(int argc, const char* const* argv, const Communicator& communicator);

}  // namespace memstencil::transpose
